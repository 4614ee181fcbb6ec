import { Spinner as TelegramSpinner } from "@telegram-apps/telegram-ui";
import { classNames } from "../class-names.ts";
import "./spinner.css";

type SpinnerProps = {
  /** What it waits for. */
  readonly label: string;
  /** Otherwise the label is for screen readers only. */
  readonly isLabelShown?: boolean;
};

/** telegram-ui's own status has no text, so it is hidden and ours speaks. */
export const Spinner = ({ label, isLabelShown = false }: SpinnerProps) => (
  <span className="w-spinner" role="status">
    <span className="w-spinner__ring" aria-hidden="true">
      <TelegramSpinner size="s" />
    </span>
    <span className={classNames(!isLabelShown && "w-visually-hidden")}>{label}</span>
  </span>
);
