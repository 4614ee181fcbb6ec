import { EMAIL_NOT_CONFIRMED, VERIFICATION_NEEDED } from "#contract/card.ts";
import { isDecimal } from "#contract/money.ts";
import { type PairData, pairDataSchema, type RateMode } from "#contract/rate.ts";
import type { Claimed } from "./rate-move.ts";
import { type CodedFailure, type RateFailure, readRateFailure } from "./rate-failure.ts";

/** A failed create call, as `lib/http` reports it. */
export type FailedCreation = CodedFailure & {
  message: string;
  httpStatus: number | null;
  kind: "coded" | "network" | "timeout" | "unreadable";
};

type RefusedField = "destination" | "memo" | "refund" | "refundMemo" | "email";

/** What became of an order that was not answered with one (spec §8). */
export type CreationFailure =
  /** `before` is what was claimed, and so was on the screen. */
  | { kind: "rate-moved"; rate: PairData; before?: Claimed }
  | { kind: "rate"; failure: RateFailure }
  /** The payout could not open the account that it goes to: `reserve`, in the receiving coin, would. */
  | { kind: "account-missing"; reserve: string }
  | { kind: "fields"; reasons: Readonly<Partial<Record<RefusedField, string>>> }
  | { kind: "blacklisted" }
  | { kind: "kyc-needed" }
  | { kind: "email-unconfirmed" }
  | { kind: "referrer-unknown" }
  | { kind: "not-created" }
  | { kind: "outcome-unknown" }
  | { kind: "answer-unreadable" };

/** Answers after which the server may still create, or have created, the order: the same key and body are sent again. */
export const isOutcomeUnknown = (failure: CreationFailure): boolean =>
  failure.kind === "outcome-unknown" || failure.kind === "answer-unreadable";

const UNDECIDED_STATUSES = new Set([408, 409, 425, 429]);

const FIELDS: Record<string, RefusedField> = {
  destinationAddress: "destination",
  destinationAddressMemo: "memo",
  refundAddress: "refund",
  refundAddressMemo: "refundMemo",
  userEmail: "email",
};

/** Turns a failed creation into what the destination step shows (spec §8). */
export function readCreationFailure(failed: FailedCreation, rateMode: RateMode): CreationFailure {
  if (failed.kind === "unreadable" && isSuccess(failed.httpStatus)) return { kind: "answer-unreadable" };
  if (failed.kind !== "coded" || isUndecided(failed.httpStatus)) return { kind: "outcome-unknown" };
  switch (failed.code) {
    case "ERR_FORBIDDEN":
      if (failed.message === VERIFICATION_NEEDED) return { kind: "kyc-needed" };
      if (failed.message === EMAIL_NOT_CONFIRMED) return { kind: "email-unconfirmed" };
      return { kind: failed.message.includes("Client data is blacklisted") ? "blacklisted" : "not-created" };
    case "ERR_NOT_FOUND":
      return { kind: failed.message.includes("referrerAffiliateId") ? "referrer-unknown" : "not-created" };
    case "ERR_UNPROCESSABLE_ENTITY":
      return freshRate(failed.data);
    case "ERR_VALIDATION":
      return refusedFields(failed.data);
    case "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL":
      return missingAccount(failed.data) ?? { kind: "rate", failure: readRateFailure(failed, rateMode) };
    case "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG":
    case "ERR_PAIR_NOT_ACTIVE":
    case "ERR_NO_LIQUIDITY_AVAILABLE":
    case "ERR_NOT_ACCEPTABLE":
      return { kind: "rate", failure: readRateFailure(failed, rateMode) };
    default:
      return { kind: "not-created" };
  }
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

const isUndecided = (status: number | null): boolean =>
  status === null || status >= 500 || UNDECIDED_STATUSES.has(status);

const recordOf = (data: unknown): Record<string, unknown> =>
  typeof data === "object" && data !== null ? { ...data } : {};

function freshRate(data: unknown): CreationFailure {
  const rate = pairDataSchema.safeParse(recordOf(data)["rate"]);
  return rate.success ? { kind: "rate-moved", rate: rate.data } : { kind: "not-created" };
}

function missingAccount(data: unknown): CreationFailure | null {
  const reserve = recordOf(data)["accountReserve"];
  return isDecimal(reserve) ? { kind: "account-missing", reserve } : null;
}

function refusedFields(data: unknown): CreationFailure {
  const refused = Object.entries(recordOf(data)).flatMap(([key, reason]) => {
    const field = FIELDS[key];
    return field === undefined ? [] : [[field, String(reason)] as const];
  });
  return refused.length > 0 ? { kind: "fields", reasons: Object.fromEntries(refused) } : { kind: "not-created" };
}
