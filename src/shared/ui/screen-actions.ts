/** The elements behind a screen's next step, and behind what its dialog offers instead: for a shell with buttons of its own. */
export type ScreenActions = { readonly main: HTMLElement | null; readonly secondary: HTMLElement | null };

const FILLED = ".w-button--filled";

/** A page has one filled button (ui.md §0), in its bottom bar. */
export const pageActions = (): ScreenActions => ({
  main: document.querySelector<HTMLElement>(`.w-bottom-bar ${FILLED}`),
  secondary: null,
});

/** A dialog's footer has one too, and may have a quiet one beside it. */
export function dialogActions(dialog: HTMLDialogElement): ScreenActions {
  const footer = dialog.querySelector(".w-dialog__footer");
  return {
    main: footer?.querySelector<HTMLElement>(FILLED) ?? null,
    secondary: footer?.querySelector<HTMLElement>(`.w-button:not(${FILLED})`) ?? null,
  };
}

/** A root of the app has its tabs. */
export const isRootScreen = (): boolean => document.querySelector(".w-frame--tabs") !== null;

/** What a button of ours says, with the sum where it names one to the shell alone, and whether a press does anything. */
export function buttonState(button: HTMLElement): { words: string; isDisabled: boolean; isBusy: boolean } {
  const isBusy = button.getAttribute("aria-disabled") === "true";
  const label = button.querySelector(".w-button__label")?.textContent.trim() ?? "";
  return {
    words: isBusy ? (button.getAttribute("aria-label") ?? label) : (button.dataset["nativeLabel"] ?? label),
    isDisabled: button.matches(":disabled"),
    isBusy,
  };
}
