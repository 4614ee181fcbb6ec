import type { ReactNode } from "react";
import { Button, VisuallyHidden } from "../ui/index.ts";
import "./row.css";

type RowProps = {
  readonly title: string;
  /** The section above has the same title, so only the action's name repeats it. */
  readonly isTitledAbove?: boolean;
  readonly text: ReactNode;
  /** Why the action failed, said at once. */
  readonly failure?: string | null;
  readonly action?: string;
  readonly onAction?: () => void;
  /** What the action says while it runs; null while it does not. */
  readonly busyLabel?: string | null;
};

/** One thing of the account, and the one thing that can be done with it. */
export const Row = ({ title, isTitledAbove, text, failure = null, action, onAction, busyLabel = null }: RowProps) => (
  <div className="w-profile__row">
    <div className="w-profile__row-text">
      {isTitledAbove === true ? null : <p className="w-profile__row-title">{title}</p>}
      <div className="w-profile__row-note">{text}</div>
      {failure === null ? null : (
        <p className="w-profile__row-note w-profile__row-note--failed" role="alert">
          {failure}
        </p>
      )}
    </div>
    {action === undefined || onAction === undefined ? null : (
      <Button variant="plain" onClick={onAction} busyLabel={busyLabel}>
        {action} <VisuallyHidden>{title}</VisuallyHidden>
      </Button>
    )}
  </div>
);
