import type { NativeButton } from "../sdk/buttons.ts";

/** A button of the page, as its reader finds it. */
export type PageButton = { readonly words: string; readonly isDisabled: boolean; readonly isBusy: boolean };

/** The buttons of the page, or of the dialog that lies over it. */
export type Screen = {
  /** A root has the tabs at its lower edge, and its own button above them (ui.md §6). */
  readonly isRoot: boolean;
  /** The next step. */
  readonly main: PageButton | null;
  /** What may be done instead of it. */
  readonly secondary: PageButton | null;
};

type NativeButtons = { readonly main: NativeButton | null; readonly secondary: NativeButton | null };

/** What the client's own two buttons show for a screen; null for one that is hidden. */
export function nativeButtons({ isRoot, main, secondary }: Screen): NativeButtons {
  if (isRoot || main === null) return { main: null, secondary: null };
  return {
    main: native(main, main.isBusy),
    // While the main one is carried out, nothing else is begun.
    secondary: secondary === null ? null : native(secondary, main.isBusy),
  };
}

const native = ({ words, isDisabled, isBusy }: PageButton, isWaiting: boolean): NativeButton => ({
  text: words,
  isEnabled: !isDisabled && !isBusy && !isWaiting,
  isBusy,
});
