import type { Blocker } from "./form-state.ts";

export type Place = "page" | "send" | "get" | "rate" | "destination" | "memo" | "refund" | "refund-memo" | "terms";
export type Fix = "use-bound" | "switch-to-floating" | "choose-coin" | "retry-rate";

type Words =
  | "blocker.offline"
  | "blocker.sameInstrument"
  | "blocker.pairUnsupported"
  | "blocker.tooSmall"
  | "blocker.tooBig"
  | "blocker.rateFailed"
  | "blocker.addressEmpty"
  | "blocker.addressIncorrect"
  | "blocker.memoEmpty"
  | "blocker.memoIncorrect"
  | "blocker.refundEmpty"
  | "blocker.refundSame"
  | "blocker.terms";

export type BlockerInfo = {
  step: "calculator" | "destination";
  /** Where its words stand. */
  place: Place;
  /** Key in `exchange.json`; null when the place itself already shows it, as a skeleton does. */
  words: Words | null;
  fixes: readonly Fix[];
};

/** What is said about each blocker, where, and what is offered (spec §8). */
export const BLOCKERS: Record<Blocker["kind"], BlockerInfo> = {
  offline: { step: "calculator", place: "page", words: "blocker.offline", fixes: [] },
  "same-instrument": { step: "calculator", place: "get", words: "blocker.sameInstrument", fixes: ["choose-coin"] },
  "pair-unsupported": { step: "calculator", place: "get", words: "blocker.pairUnsupported", fixes: ["choose-coin"] },
  "amount-empty": { step: "calculator", place: "send", words: null, fixes: [] },
  "amount-too-small": { step: "calculator", place: "send", words: "blocker.tooSmall", fixes: ["use-bound"] },
  "amount-too-big": {
    step: "calculator",
    place: "send",
    words: "blocker.tooBig",
    fixes: ["use-bound", "switch-to-floating"],
  },
  "rate-failed": { step: "calculator", place: "rate", words: "blocker.rateFailed", fixes: ["retry-rate"] },
  "rate-loading": { step: "calculator", place: "rate", words: null, fixes: [] },
  "address-empty": { step: "destination", place: "destination", words: "blocker.addressEmpty", fixes: [] },
  "address-incorrect": { step: "destination", place: "destination", words: "blocker.addressIncorrect", fixes: [] },
  "memo-empty": { step: "destination", place: "memo", words: "blocker.memoEmpty", fixes: [] },
  "memo-incorrect": { step: "destination", place: "memo", words: "blocker.memoIncorrect", fixes: [] },
  "refund-empty": { step: "destination", place: "refund", words: "blocker.refundEmpty", fixes: [] },
  "refund-same": { step: "destination", place: "refund", words: "blocker.refundSame", fixes: [] },
  "refund-incorrect": { step: "destination", place: "refund", words: "blocker.addressIncorrect", fixes: [] },
  "refund-memo-incorrect": { step: "destination", place: "refund-memo", words: "blocker.memoIncorrect", fixes: [] },
  terms: { step: "destination", place: "terms", words: "blocker.terms", fixes: [] },
};

export const blockersOf = (found: Blocker[], step: BlockerInfo["step"]): Blocker[] =>
  found.filter((blocker) => BLOCKERS[blocker.kind].step === step);

export const blockerAt = (found: readonly Blocker[], place: Place): Blocker | undefined =>
  found.find((blocker) => BLOCKERS[blocker.kind].place === place);
