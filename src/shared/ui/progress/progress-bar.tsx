import "./progress-bar.css";

export type ProgressBarProps = {
  /** 0 to 1. */
  readonly value: number;
  readonly tone?: "accent" | "signal";
  /** Names it for screen readers; without it the bar only repeats words that stand beside it. */
  readonly label?: string;
};

/** Drawn with attributes, not with styles, so that a strict content policy can stand. */
export function ProgressBar({ value, tone = "accent", label }: ProgressBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 10;
  const role = label
    ? ({ role: "progressbar", "aria-label": label, "aria-valuenow": Math.round(percent) } as const)
    : { "aria-hidden": true };
  return (
    <svg className={`w-progress w-progress--${tone}`} width="100%" height="4" {...role}>
      <rect className="w-progress__track" width="100%" height="4" rx="2" />
      <rect className="w-progress__fill" width={`${percent}%`} height="4" rx="2" />
    </svg>
  );
}
