import type { Screen } from "./screen.ts";

export type StepState = "done" | "now" | "next" | "warning";
export type StepName = "send" | "processing" | "choice" | "completed" | "refund_asked" | "refunded";
export type StepView = { name: StepName; state: StepState };

const steps = (...views: [StepName, StepState][]): StepView[] => views.map(([name, state]) => ({ name, state }));

const STEPS: Record<Screen, StepView[]> = {
  preparing: steps(["send", "now"], ["processing", "next"], ["completed", "next"]),
  send: steps(["send", "now"], ["processing", "next"], ["completed", "next"]),
  expired: steps(["send", "warning"], ["processing", "next"], ["completed", "next"]),
  processing: steps(["send", "done"], ["processing", "now"], ["completed", "next"]),
  choice: steps(["send", "done"], ["choice", "warning"], ["completed", "next"]),
  refund: steps(["send", "done"], ["refund_asked", "now"], ["refunded", "next"]),
  completed: steps(["send", "done"], ["processing", "done"], ["completed", "done"]),
  refunded: steps(["send", "done"], ["refund_asked", "done"], ["refunded", "done"]),
};

/** The three named steps over every order screen. */
export const stepsOf = (screen: Screen): readonly StepView[] => STEPS[screen];
