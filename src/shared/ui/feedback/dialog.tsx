import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../class-names.ts";
import "./dialog.css";
import { IconButton } from "../controls/icon-button.tsx";
import { Icon } from "../graphics/icon.tsx";
import { LayerContext, useDialogLayer } from "../controls/screen-actions.ts";
import { useSheetDrag } from "./use-sheet-drag.ts";

export type DialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** `sheet` is as high as it may be, for lists; `dialog` is as high as its content. */
  readonly size?: "sheet" | "dialog";
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
};

/** How long the closing movement takes; the content stays until its end. */
const CLOSING_MS = 200;

/** A modal dialog: a bottom sheet under 600 px. Traps the focus and gives it back; Esc, the scrim, the button and a drag of the sheet close it. */
export function Dialog({ open, onClose, title, size = "dialog", initialFocus, children, footer }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { t } = useTranslation("common");
  const isFilled = useFilled(open);
  useModal(dialog, open, initialFocus);
  useDismissal(dialog, onClose);
  const drag = useSheetDrag(dialog, onClose);
  const layer = useDialogLayer(open, onClose);
  return (
    <dialog ref={dialog} className={classNames("w-dialog", `w-dialog--${size}`)} aria-labelledby={titleId}>
      {isFilled ? (
        <div className="w-dialog__panel">
          <header className="w-dialog__header" {...drag}>
            <span className="w-dialog__handle" aria-hidden="true" />
            <h2 id={titleId} className="w-dialog__title">
              {title}
            </h2>
            <IconButton label={t("ui.close")} icon={<Icon name="close" />} onClick={onClose} />
          </header>
          <LayerContext value={layer}>
            <div className="w-dialog__body">{children}</div>
            {footer ? <footer className="w-dialog__footer">{footer}</footer> : null}
          </LayerContext>
        </div>
      ) : null}
    </dialog>
  );
}

function useFilled(open: boolean): boolean {
  const [isFilled, setFilled] = useState(open);
  if (open && !isFilled) setFilled(true);
  useEffect(() => {
    if (open) return undefined;
    const timer = setTimeout(() => setFilled(false), CLOSING_MS);
    return () => clearTimeout(timer);
  }, [open]);
  return isFilled || open;
}

function useModal(
  dialog: RefObject<HTMLDialogElement | null>,
  open: boolean,
  initialFocus?: RefObject<HTMLElement | null>,
): void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (!open) return;
    before.current = document.activeElement;
    if (dialog.current?.open === false) dialog.current.showModal();
    initialFocus?.current?.focus();
  }, [dialog, open, initialFocus]);
  // After the commit, at whose end React puts the focus back to where it was inside the dialog.
  useEffect(() => {
    const element = dialog.current;
    if (!open || element === null) return undefined;
    return () => {
      element.close();
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    };
  }, [dialog, open]);
}

/** Esc and a press on the scrim ask to close; the owner of `open` decides. */
function useDismissal(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => {
    const element = dialog.current;
    const cancel = (event: Event) => {
      event.preventDefault();
      latest.current();
    };
    const press = (event: Event) => {
      if (event.target === element) latest.current();
    };
    element?.addEventListener("cancel", cancel);
    element?.addEventListener("mousedown", press);
    return () => {
      element?.removeEventListener("cancel", cancel);
      element?.removeEventListener("mousedown", press);
    };
  }, [dialog]);
}
