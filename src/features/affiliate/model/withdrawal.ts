import type { WithdrawalTerms } from "#contract/accounts/earnings.ts";
import { compareDecimals, formatAmount, parseAmount } from "#contract/money.ts";
import { CallError } from "../../../shared/http/call-error.ts";

const TRON = "TRX";
/** spec §5: T and 33 characters; the special test address, T and ones, has this form too. */
const ADDRESS = /^T\S{33}$/u;
const TEST_ADDRESS = `T${"1".repeat(33)}`;

type OnNetwork = { readonly networkTitle: string };

/** Whether it may be one; the forms of other networks are the service's to judge. */
export const isWithdrawalAddress = (text: string, { networkTitle }: OnNetwork): boolean =>
  networkTitle === TRON ? ADDRESS.test(text.trim()) : text.trim() !== "";

/** Taken in the sandbox, where nothing is sent to it; it is no address of the network. */
export const isTestAddress = (text: string, { networkTitle }: OnNetwork): boolean =>
  networkTitle === TRON && text.trim() === TEST_ADDRESS;

/** What a person typed; the amount is a wire decimal or empty. */
export type WithdrawalForm = { readonly address: string; readonly amount: string };

/** What the form is judged by. `networkFee` is null while nobody knows it. */
export type WithdrawalBounds = Pick<WithdrawalTerms, "minimum" | "networkFee" | "networkTitle"> & {
  readonly balance: string;
  /** Of the instrument. */
  readonly decimals: number;
};

/** What is wrong with the amount; of one `underFee` nothing would arrive. */
export type AmountError =
  | { readonly kind: "empty" | "tooMuch" | "unfit" | "underFee" }
  | { readonly kind: "tooSmall"; readonly smallest: string };

export type WithdrawalErrors = {
  readonly address?: "error_address_empty" | "error_address_incorrect";
  readonly amount?: AmountError;
};

/** What is wrong before anything is sent (spec §5); the service judges again. */
export function checkWithdrawal(form: WithdrawalForm, bounds: WithdrawalBounds): WithdrawalErrors {
  const amount = amountError(form.amount, bounds);
  return {
    ...(form.address.trim() === ""
      ? { address: "error_address_empty" as const }
      : isWithdrawalAddress(form.address, bounds)
        ? {}
        : { address: "error_address_incorrect" as const }),
    ...(amount === null ? {} : { amount }),
  };
}

function amountError(amount: string, { minimum, networkFee, balance, decimals }: WithdrawalBounds): AmountError | null {
  if (amount === "") return { kind: "empty" };
  if (parseAmount(amount, decimals) === null) return { kind: "unfit" };
  if (compareDecimals(amount, minimum) < 0) return { kind: "tooSmall", smallest: minimum };
  if (compareDecimals(amount, balance) > 0) return { kind: "tooMuch" };
  return networkFee !== null && compareDecimals(amount, networkFee) <= 0 ? { kind: "underFee" } : null;
}

/** What arrives of an amount, the fee taken from it; null where nothing does, and while the fee isn't known. */
export function received(amount: string, { networkFee, decimals }: WithdrawalBounds): string | null {
  const sent = parseAmount(amount, decimals);
  const fee = networkFee === null ? null : parseAmount(networkFee, decimals);
  return sent === null || fee === null || sent <= fee ? null : formatAmount(sent - fee, decimals);
}

/** What became of a withdrawal that the service did not take; `main_error` and the like are texts under `failed`. */
export type WithdrawalFailure =
  | { readonly kind: "fields"; readonly errors: WithdrawalErrors }
  | { readonly kind: "general"; readonly failure: "main_error" | "tooMany" | "unsupported" }
  /** It may have been taken: the same key asks again. */
  | { readonly kind: "unknown" };

/** spec §8, withdrawal. */
export function readWithdrawalFailure(error: unknown): WithdrawalFailure {
  if (!(error instanceof CallError)) return { kind: "general", failure: "main_error" };
  if (error.kind !== "coded" || isUndecided(error.httpStatus)) return { kind: "unknown" };
  if (error.httpStatus === 429) return { kind: "general", failure: "tooMany" };
  switch (error.code) {
    case "ERR_WITHDRAWAL_TOO_SMALL":
      return tooSmall(error.message);
    case "ERR_BALANCE_TOO_LOW":
    case "ERR_BALANCE_NOT_FOUND":
      return { kind: "fields", errors: { amount: { kind: "tooMuch" } } };
    case "ERR_NETWORK_NOT_SUPPORTED":
      return { kind: "general", failure: "unsupported" };
    case "ERR_VALIDATION":
      return refusedFields(error.data);
    default:
      return { kind: "general", failure: "main_error" };
  }
}

/** spec §8: the first number in the message is the minimum. */
function tooSmall(message: string): WithdrawalFailure {
  const [smallest] = /\d+(?:\.\d+)?/.exec(message) ?? [];
  return smallest === undefined
    ? { kind: "general", failure: "main_error" }
    : { kind: "fields", errors: { amount: { kind: "tooSmall", smallest } } };
}

function refusedFields(data: Readonly<Record<string, unknown>>): WithdrawalFailure {
  const errors: WithdrawalErrors = {
    ...("address" in data ? { address: "error_address_incorrect" as const } : {}),
    ...("amount" in data ? { amount: { kind: "unfit" as const } } : {}),
  };
  return Object.keys(errors).length > 0 ? { kind: "fields", errors } : { kind: "general", failure: "main_error" };
}

const isUndecided = (status: number | null): boolean =>
  status === null || status >= 500 || status === 408 || status === 409;
