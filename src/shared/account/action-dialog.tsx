import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { useOnline } from "../browser/connectivity.ts";
import { Button, Dialog, Note, PrimaryAction } from "../ui/index.ts";
import "./action-dialog.css";

type ActionDialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly isPending: boolean;
  readonly failure: string | null;
  readonly isDangerous?: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

/** A dialog with one form and one button. */
export function ActionDialog(props: ActionDialogProps) {
  const { t } = useTranslation("account");
  const { open, onClose, title, submitLabel, isPending, isDangerous, failure, children } = props;
  const formId = useId();
  const isOnline = useOnline();
  const button = {
    type: "submit",
    form: formId,
    stretched: true,
    disabled: !isOnline,
    busyLabel: isPending ? props.busyLabel : null,
  } as const;
  const label = isOnline ? submitLabel : t("failed.offline");
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <form
        id={formId}
        className="w-auth"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending && isOnline) props.onSubmit();
        }}
      >
        {failure === null ? null : <Note tone="danger" title={failure} />}
        {children}
        {isDangerous ? (
          <Button variant="danger" size="l" {...button}>
            {label}
          </Button>
        ) : (
          <PrimaryAction {...button}>{label}</PrimaryAction>
        )}
      </form>
    </Dialog>
  );
}
