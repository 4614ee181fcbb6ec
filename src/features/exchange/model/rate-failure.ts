import type { ErrorCode } from "#contract/errors.ts";
import { isDecimal } from "#contract/money.ts";
import type { RateMode, PairData } from "#contract/rate.ts";

/**
 * Why there is no rate for what was asked (spec §8). `slug` names the instrument that `expected` counts, and `floatingMax`: what the
 * floating rate takes, where only the fixed one is too small.
 */
export type RateFailure =
  | { kind: "too-small"; expected: string; slug: string }
  | { kind: "too-big"; expected: string; slug: string; floatingMax: string | null }
  | { kind: "fixed-unavailable" }
  | { kind: "pair-unsupported" }
  | { kind: "not-loaded" };

/** What is read of a failed call or of the socket's error event; `code` is null when no coded answer came. */
export type CodedFailure = { code: ErrorCode | null; data?: unknown };

/** Turns a failed rate into the state that the calculator shows (spec §8). */
export function readRateFailure({ code, data }: CodedFailure, rateMode: RateMode): RateFailure {
  switch (code) {
    case "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL":
      return boundOf(data, (bound) => ({ kind: "too-small", ...bound }));
    case "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG":
      return boundOf(data, (bound) => ({ kind: "too-big", ...bound, floatingMax: floatingMaxOf(data) }));
    case "ERR_NOT_ACCEPTABLE":
    case "ERR_UNPROCESSABLE_ENTITY":
      return { kind: rateMode === "FIXED" ? "fixed-unavailable" : "pair-unsupported" };
    case "ERR_PAIR_NOT_ACTIVE":
    case "ERR_NO_LIQUIDITY_AVAILABLE":
      return { kind: "pair-unsupported" };
    default:
      return { kind: "not-loaded" };
  }
}

/** Contract §1: `{ expected, instrument, floatingMax? }`; read by hand, because the schemas load after the first paint. */
function boundOf(data: unknown, failure: (bound: { expected: string; slug: string }) => RateFailure): RateFailure {
  const { expected, instrument } = { expected: undefined, instrument: undefined, ...(data as object | undefined) };
  return isDecimal(expected) && typeof instrument === "string"
    ? failure({ expected, slug: instrument })
    : { kind: "not-loaded" };
}

function floatingMaxOf(data: unknown): string | null {
  const { floatingMax } = { floatingMax: undefined, ...(data as object | undefined) };
  return isDecimal(floatingMax) ? floatingMax : null;
}

/** How long a fixed quote is valid, by its own two times, because the device's clock may be wrong; 0 for a floating one. */
export const quoteValidMs = ({ validUntil, updatedAt }: Pick<PairData, "validUntil" | "updatedAt">): number =>
  validUntil == null ? 0 : Math.max(0, Date.parse(validUntil) - Date.parse(updatedAt));
