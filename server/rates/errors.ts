import { CodedError } from "#contract/errors.ts";

/** While a price is missing, expired or absurd, nothing is quoted (engine, Rates). */
export const noPriceNow = (): CodedError =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "There is no market price to quote at the moment", {
    retryAfterSeconds: 3,
  });

/** Refund-only mode. */
export const refundOnlyNow = (): CodedError =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "No new exchanges are taken now; payouts and refunds go on", {
    retryAfterSeconds: 60,
  });

/** For a pair that the catalogue lacks or has switched off; both slugs are as they were asked for. */
export const pairNotActive = (from: string, to: string): CodedError =>
  new CodedError("ERR_PAIR_NOT_ACTIVE", `${from} can't be exchanged to ${to} at the moment`);

/** For a fixed rate of a pair that only floats. */
export const noFixedRate = (): CodedError => new CodedError("ERR_NOT_ACCEPTABLE", "This pair has no fixed rate");

/** A refusal of a request; `data` says for each field what is wrong with it (contract §1). */
export const invalid = (data: Record<string, string>): CodedError =>
  new CodedError("ERR_VALIDATION", "The request is not valid", { data });

/** `expected` is the bound, counted in the sending instrument (contract §1). */
export const tooSmall = (expected: string, instrument: string): CodedError =>
  new CodedError("ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", `The minimum is ${expected}`, {
    data: { expected, instrument },
  });

/** `floatingMax` is what the floating rate takes, where that is more (contract §1). */
export const tooBig = (expected: string, instrument: string, floatingMax: string | null): CodedError =>
  new CodedError("ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG", `The maximum is ${expected}`, {
    data: { expected, instrument, ...(floatingMax !== null && { floatingMax }) },
  });

/** For an amount that neither our balance nor a partner pays now. */
export const noLiquidity = (): CodedError =>
  new CodedError("ERR_NO_LIQUIDITY_AVAILABLE", "This amount can't be paid out at the moment");
