import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { Icon } from "../graphics/icon.tsx";
import "./steps.css";

export type Step = { readonly label: ReactNode; readonly state: "done" | "now" | "next" | "warning" };

/** Named, numbered steps; the current one is marked for screen readers. */
export const Steps = ({ steps, label }: { readonly steps: readonly Step[]; readonly label: string }) => (
  <ol className="w-steps" aria-label={label}>
    {steps.map((step, index) => (
      <li
        key={index}
        className={classNames("w-steps__step", `w-steps__step--${step.state}`)}
        aria-current={step.state === "now" || step.state === "warning" ? "step" : undefined}
      >
        <span className="w-steps__mark w-number" aria-hidden="true">
          <StepMark state={step.state} number={index + 1} />
        </span>
        <span className="w-steps__label">{step.label}</span>
      </li>
    ))}
  </ol>
);

function StepMark({ state, number }: { readonly state: Step["state"]; readonly number: number }) {
  if (state === "done") return <Icon name="check" size={16} />;
  return state === "warning" ? <Icon name="warning" size={16} /> : number;
}
