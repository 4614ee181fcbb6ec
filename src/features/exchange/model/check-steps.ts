import type { CardFlow } from "./card-flow.ts";

export type CheckStep = "account" | "email" | "document" | "pay";
type StepState = "done" | "now" | "next";

/** How many of the steps are behind. */
const DONE: Partial<Record<CardFlow["step"], number>> = {
  "signing-up": 0,
  "signing-in-at-provider": 0,
  "confirming-email": 1,
  checking: 2,
  opening: 2,
  verifying: 2,
  creating: 3,
};

const NAMES: readonly CheckStep[] = ["account", "email", "document", "pay"];

/** The steps of the window, as the flow stands. */
export function checkSteps({ step }: CardFlow): { name: CheckStep; state: StepState }[] {
  const done = DONE[step] ?? 0;
  return NAMES.map((name, index) => ({ name, state: index < done ? "done" : index === done ? "now" : "next" }));
}

/** What the window says that it waits for; keys of the namespace `card` under `waiting`. */
export function waitingFor(flow: CardFlow): "provider" | "email" | "check" | "review" | "order" {
  if (flow.step === "creating") return "order";
  if (flow.step === "confirming-email") return "email";
  if (flow.step !== "verifying") return "provider";
  return flow.isUnderReview ? "review" : "check";
}
