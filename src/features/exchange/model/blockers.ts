import type { Instrument } from "#contract/instrument.ts";
import type { RateMode } from "#contract/rate.ts";
import { isSameAddress } from "#contract/address.ts";
import type { AddressCheck } from "../../../address/address-check.ts";
import type { RateFailure } from "./rate-failure.ts";

/** Everything that decides whether an order can be made. `amount` is canonical, empty when it is not positive. */
export type FormContext = {
  isOnline: boolean;
  from: Pick<Instrument, "slug">;
  to: Pick<Instrument, "slug" | "requiresMemo">;
  isPairOffered: boolean;
  amount: string;
  rateMode: RateMode;
  rate: "loading" | "ready" | RateFailure;
  /** A sale to a card has no address (spec §5). */
  hasDestination: boolean;
  destination: { address: string; check: AddressCheck };
  /** `isRefused`: the service has refused this very memo, or it can't be one of this network. */
  memo: { value: string; isWaived: boolean; isRefused: boolean };
  refund: { address: string; check: AddressCheck; isMemoRefused: boolean };
  areTermsAccepted: boolean;
};

export type Blocker =
  | { kind: "offline" }
  | { kind: "same-instrument" }
  | { kind: "pair-unsupported" }
  | { kind: "amount-empty" }
  | { kind: "amount-too-small"; expected: string; slug: string }
  | { kind: "amount-too-big"; expected: string; slug: string; floatingMax: string | null }
  | { kind: "rate-failed" }
  | { kind: "rate-loading" }
  | { kind: "address-empty" }
  | { kind: "address-incorrect"; rejectedAs: string | null }
  | { kind: "memo-empty" }
  | { kind: "memo-incorrect" }
  | { kind: "refund-empty" }
  | { kind: "refund-same" }
  | { kind: "refund-incorrect"; rejectedAs: string | null }
  | { kind: "refund-memo-incorrect" }
  | { kind: "terms" };

/** What stops the order, the most pressing first (spec §5, §8); empty when nothing does. */
export function blockers(form: FormContext): Blocker[] {
  return [...pairBlockers(form), ...destinationBlockers(form), ...refundBlockers(form), ...termsBlockers(form)];
}

function pairBlockers({ isOnline, from, to, isPairOffered, amount, rate }: FormContext): Blocker[] {
  const found: Blocker[] = isOnline ? [] : [{ kind: "offline" }];
  if (from.slug === to.slug) return [...found, { kind: "same-instrument" }];
  if (!isPairOffered) return [...found, { kind: "pair-unsupported" }];
  if (amount === "") return [...found, { kind: "amount-empty" }];
  return [...found, ...rateBlockers(rate)];
}

function rateBlockers(rate: FormContext["rate"]): Blocker[] {
  if (rate === "ready") return [];
  if (rate === "loading") return [{ kind: "rate-loading" }];
  switch (rate.kind) {
    case "too-small":
      return [{ kind: "amount-too-small", expected: rate.expected, slug: rate.slug }];
    case "too-big":
      return [{ ...rate, kind: "amount-too-big" }];
    case "pair-unsupported":
      return [{ kind: "pair-unsupported" }];
    case "fixed-unavailable":
      return [{ kind: "rate-loading" }];
    case "not-loaded":
      return [{ kind: "rate-failed" }];
  }
}

function destinationBlockers({ hasDestination, destination, memo, to }: FormContext): Blocker[] {
  const found: Blocker[] = [];
  if (!hasDestination) return found;
  if (destination.address.trim() === "") found.push({ kind: "address-empty" });
  else if (typeof destination.check === "object") found.push({ kind: "address-incorrect", ...destination.check });
  if (!to.requiresMemo || memo.isWaived) return found;
  if (memo.value.trim() === "") found.push({ kind: "memo-empty" });
  else if (memo.isRefused) found.push({ kind: "memo-incorrect" });
  return found;
}

function refundBlockers({ rateMode, refund, destination }: FormContext): Blocker[] {
  if (rateMode === "FLOATING") return [];
  if (refund.address.trim() === "") return [{ kind: "refund-empty" }];
  if (isSameAddress(refund.address, destination.address)) return [{ kind: "refund-same" }];
  if (typeof refund.check === "object") return [{ kind: "refund-incorrect", ...refund.check }];
  return refund.isMemoRefused ? [{ kind: "refund-memo-incorrect" }] : [];
}

const termsBlockers = ({ areTermsAccepted }: FormContext): Blocker[] => (areTermsAccepted ? [] : [{ kind: "terms" }]);

export type Field = "page" | "from" | "to" | "rate" | "destination" | "memo" | "refund" | "refund-memo" | "terms";
export type Fix = "use-bound" | "switch-to-floating" | "choose-coin" | "retry-rate";

type Texts =
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

type BlockerInfo = {
  step: "calculator" | "destination";
  /** The field that shows its text. */
  field: Field;
  /** Key in `exchange.json`; null when the field already shows it, as a skeleton does. */
  text: Texts | null;
  fixes: readonly Fix[];
};

/** The text of each blocker, the field that shows it, and the fixes offered (spec §8). */
export const BLOCKERS: Record<Blocker["kind"], BlockerInfo> = {
  offline: { step: "calculator", field: "page", text: "blocker.offline", fixes: [] },
  "same-instrument": { step: "calculator", field: "to", text: "blocker.sameInstrument", fixes: ["choose-coin"] },
  "pair-unsupported": { step: "calculator", field: "to", text: "blocker.pairUnsupported", fixes: ["choose-coin"] },
  "amount-empty": { step: "calculator", field: "from", text: null, fixes: [] },
  "amount-too-small": { step: "calculator", field: "from", text: "blocker.tooSmall", fixes: ["use-bound"] },
  "amount-too-big": {
    step: "calculator",
    field: "from",
    text: "blocker.tooBig",
    fixes: ["use-bound", "switch-to-floating"],
  },
  "rate-failed": { step: "calculator", field: "rate", text: "blocker.rateFailed", fixes: ["retry-rate"] },
  "rate-loading": { step: "calculator", field: "rate", text: null, fixes: [] },
  "address-empty": { step: "destination", field: "destination", text: "blocker.addressEmpty", fixes: [] },
  "address-incorrect": { step: "destination", field: "destination", text: "blocker.addressIncorrect", fixes: [] },
  "memo-empty": { step: "destination", field: "memo", text: "blocker.memoEmpty", fixes: [] },
  "memo-incorrect": { step: "destination", field: "memo", text: "blocker.memoIncorrect", fixes: [] },
  "refund-empty": { step: "destination", field: "refund", text: "blocker.refundEmpty", fixes: [] },
  "refund-same": { step: "destination", field: "refund", text: "blocker.refundSame", fixes: [] },
  "refund-incorrect": { step: "destination", field: "refund", text: "blocker.addressIncorrect", fixes: [] },
  "refund-memo-incorrect": { step: "destination", field: "refund-memo", text: "blocker.memoIncorrect", fixes: [] },
  terms: { step: "destination", field: "terms", text: "blocker.terms", fixes: [] },
};

export const blockersOf = (found: Blocker[], step: BlockerInfo["step"]): Blocker[] =>
  found.filter((blocker) => BLOCKERS[blocker.kind].step === step);

export const blockerAt = (found: readonly Blocker[], field: Field): Blocker | undefined =>
  found.find((blocker) => BLOCKERS[blocker.kind].field === field);
