import { useRef } from "react";
import "./action.css";
import { Button, type ButtonProps } from "./button.tsx";
import { type ActionSlot, useScreenAction } from "./screen-actions.ts";

type ActionProps = Omit<ButtonProps, "children" | "variant" | "ref"> & {
  readonly children: string;
  /** What the shell's own button says, where that is more than the page's. */
  readonly nativeLabel?: string;
};

/** The screen's next step: the page's filled button, or Telegram's main button. */
export const PrimaryAction = (props: ActionProps) => <Action slot="main" variant="filled" {...props} />;

/** What can be done instead of the primary action: a plain button, or Telegram's secondary button. */
export const SecondaryAction = (props: ActionProps) => <Action slot="secondary" variant="plain" {...props} />;

function Action({ slot, nativeLabel, ...props }: ActionProps & Pick<ButtonProps, "variant"> & { slot: ActionSlot }) {
  const { children, busyLabel, disabled = false } = props;
  const host = useRef<HTMLSpanElement>(null);
  const isBusy = typeof busyLabel === "string";
  const isNative = useScreenAction(
    slot,
    { text: busyLabel ?? nativeLabel ?? children, isEnabled: !disabled && !isBusy, isBusy },
    // The page's own button stays, hidden: forms, links and handlers work the same either way.
    () => host.current?.querySelector<HTMLElement>("button, a")?.click(),
  );
  return (
    <span ref={host} className="w-action" hidden={isNative}>
      <Button {...props} />
    </span>
  );
}
