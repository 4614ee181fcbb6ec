import { describe, expect, test } from "vitest";
import type { ErrorCode } from "#contract/errors.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import {
  checkWithdrawal,
  isTestAddress,
  isWithdrawalAddress,
  readWithdrawalFailure,
  received,
  type WithdrawalErrors,
} from "./withdrawal.ts";

const ADDRESS = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const bounds = { networkTitle: "TRX", balance: "128.4", minimum: "10", networkFee: "1.2", decimals: 6 };

test.each([
  [ADDRESS, true],
  [` ${ADDRESS} `, true],
  [`T${"1".repeat(33)}`, true],
  [`T${"1".repeat(32)}`, false],
  [`T${"1".repeat(34)}`, false],
  [`t${ADDRESS.slice(1)}`, false],
  [`${ADDRESS.slice(0, 10)} ${ADDRESS.slice(11)}`, false],
  ["0x52908400098527886E0F7030069857D2E4169EE7", false],
  ["", false],
])("%j has the form of a withdrawal's address: %s (spec §5)", (text, expected) => {
  expect(isWithdrawalAddress(text, { networkTitle: "TRX" })).toBe(expected);
});

test.each(["0x52908400098527886E0F7030069857D2E4169EE7", ADDRESS])("%s may be one of another network", (text) => {
  expect(isWithdrawalAddress(text, { networkTitle: "ETH" })).toBe(true);
  expect(isWithdrawalAddress(" ", { networkTitle: "ETH" })).toBe(false);
});

test("T and ones is the test address of TRON, and no other", () => {
  const ones = `T${"1".repeat(33)}`;
  expect(isTestAddress(ones, { networkTitle: "TRX" })).toBe(true);
  expect(isTestAddress(ones, { networkTitle: "ETH" })).toBe(false);
  expect(isTestAddress(ADDRESS, { networkTitle: "TRX" })).toBe(false);
});

describe("the form", () => {
  test.each<[string, string, WithdrawalErrors]>([
    [ADDRESS, "50", {}],
    [ADDRESS, "10", {}],
    [ADDRESS, "128.4", {}],
    ["", "", { address: "error_address_empty", amount: { kind: "empty" } }],
    ["  ", "50", { address: "error_address_empty" }],
    ["TQn9", "50", { address: "error_address_incorrect" }],
    [ADDRESS, "9.999999", { amount: { kind: "tooSmall", smallest: "10" } }],
    [ADDRESS, "128.400001", { amount: { kind: "tooMuch" } }],
    [ADDRESS, "50.1234567", { amount: { kind: "unfit" } }],
  ])("with %j and %j", (address, amount, errors) => {
    expect(checkWithdrawal({ address, amount }, bounds)).toEqual(errors);
  });

  test("lets nobody withdraw what the network fee would eat", () => {
    const dear = { ...bounds, networkFee: "12" };
    expect(checkWithdrawal({ address: ADDRESS, amount: "12" }, dear)).toEqual({ amount: { kind: "underFee" } });
    expect(checkWithdrawal({ address: ADDRESS, amount: "12.000001" }, dear)).toEqual({});
  });

  test.each([
    ["50", "1.2", "48.8"],
    ["1.2", "1.2", null],
    ["1", "1.2", null],
    ["50", null, null],
    ["", "1.2", null],
  ])("of %j with a fee of %j, %j arrives", (amount, networkFee, arrives) => {
    expect(received(amount, { ...bounds, networkFee })).toBe(arrives);
  });
});

describe("a withdrawal that was not taken (spec §8)", () => {
  const coded = (
    code: ErrorCode,
    over: { message?: string; data?: Record<string, unknown>; httpStatus?: number } = {},
  ) => new CallError({ kind: "coded", code, message: code, httpStatus: 422, ...over });
  const fields = (errors: WithdrawalErrors) => ({ kind: "fields", errors });
  const general = (failure: string) => ({ kind: "general", failure });

  test.each([
    ["The minimum is 10 USDT, not 5", "10"],
    ["at least 12.5 of 100", "12.5"],
    ["10.", "10"],
  ])("names the first number of %j as the smallest", (message, smallest) => {
    expect(readWithdrawalFailure(coded("ERR_WITHDRAWAL_TOO_SMALL", { message }))).toEqual(
      fields({ amount: { kind: "tooSmall", smallest } }),
    );
  });

  test.each<[string, unknown, unknown]>([
    ["too small without a number", coded("ERR_WITHDRAWAL_TOO_SMALL", { message: "too small" }), general("main_error")],
    ["more than there is", coded("ERR_BALANCE_TOO_LOW"), fields({ amount: { kind: "tooMuch" } })],
    ["nothing there", coded("ERR_BALANCE_NOT_FOUND"), fields({ amount: { kind: "tooMuch" } })],
    [
      "a wrong address",
      coded("ERR_VALIDATION", { data: { address: "is not valid" }, httpStatus: 400 }),
      fields({ address: "error_address_incorrect" }),
    ],
    ["a wrong amount", coded("ERR_VALIDATION", { data: { amount: "x" } }), fields({ amount: { kind: "unfit" } })],
    ["another field", coded("ERR_VALIDATION", { data: { currencyTitle: "x" } }), general("main_error")],
    ["a network that isn't paid on", coded("ERR_NETWORK_NOT_SUPPORTED"), general("unsupported")],
    ["too many tries", coded("ERR_BAD_REQUEST", { httpStatus: 429 }), general("tooMany")],
    ["anything else", coded("ERR_FORBIDDEN", { httpStatus: 403 }), general("main_error")],
    ["an own fault", new Error("x"), general("main_error")],
    ["a failure of the service", coded("ERR_INTERNAL_SERVER_ERROR", { httpStatus: 500 }), { kind: "unknown" }],
    ["the first call still running", coded("ERR_BAD_REQUEST", { httpStatus: 409 }), { kind: "unknown" }],
    ["no answer", new CallError({ kind: "timeout", message: "x" }), { kind: "unknown" }],
    ["no network", new CallError({ kind: "network", message: "x" }), { kind: "unknown" }],
  ])("%s", (_, error, expected) => {
    expect(readWithdrawalFailure(error)).toEqual(expected);
  });
});
