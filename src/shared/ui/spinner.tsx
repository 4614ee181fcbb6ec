import { classNames } from "./class-names.ts";
import "./spinner.css";

/** Says in words what it waits for; the words may be for screen readers only. */
export const Spinner = ({
  label,
  isLabelShown = false,
}: {
  readonly label: string;
  readonly isLabelShown?: boolean;
}) => (
  <span className="w-spinner" role="status">
    <svg className="w-spinner__ring" width="20" height="20" viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <circle
        cx="10"
        cy="10"
        r="8"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        pathLength="100"
        strokeDasharray="75 100"
      />
    </svg>
    <span className={classNames(!isLabelShown && "w-visually-hidden")}>{label}</span>
  </span>
);
