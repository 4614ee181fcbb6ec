import { describe, expect, it } from "vitest";
import type { ErrorCode } from "#contract/errors.ts";
import type { RateMode } from "#contract/rate.ts";
import { type RateFailure, readRateFailure } from "./rate-failure.ts";

const bound = { expected: "0.01", instrument: "eth" };
const told = { expected: "0.01", slug: "eth" };

describe("readRateFailure", () => {
  it.each<[ErrorCode | null, RateMode, unknown, RateFailure]>([
    ["ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", "FLOATING", bound, { kind: "too-small", expected: "0.01", slug: "eth" }],
    ["ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG", "FIXED", bound, { kind: "too-big", ...told, floatingMax: null }],
    [
      "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
      "FIXED",
      { ...bound, floatingMax: "5" },
      { kind: "too-big", ...told, floatingMax: "5" },
    ],
    [
      "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
      "FIXED",
      { ...bound, floatingMax: "more" },
      { kind: "too-big", ...told, floatingMax: null },
    ],
    ["ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG", "FIXED", { expected: "a lot" }, { kind: "not-loaded" }],
    ["ERR_NOT_ACCEPTABLE", "FIXED", undefined, { kind: "fixed-unavailable" }],
    ["ERR_NOT_ACCEPTABLE", "FLOATING", undefined, { kind: "pair-unsupported" }],
    ["ERR_UNPROCESSABLE_ENTITY", "FIXED", undefined, { kind: "fixed-unavailable" }],
    ["ERR_UNPROCESSABLE_ENTITY", "FLOATING", undefined, { kind: "pair-unsupported" }],
    ["ERR_PAIR_NOT_ACTIVE", "FLOATING", undefined, { kind: "pair-unsupported" }],
    ["ERR_NO_LIQUIDITY_AVAILABLE", "FIXED", undefined, { kind: "pair-unsupported" }],
    ["ERR_INTERNAL_SERVER_ERROR", "FIXED", undefined, { kind: "not-loaded" }],
    ["ERR_VALIDATION", "FIXED", undefined, { kind: "not-loaded" }],
    [null, "FLOATING", undefined, { kind: "not-loaded" }],
  ])("%s at a %s rate with %j", (code, rateMode, data, failure) => {
    expect(readRateFailure({ code, data }, rateMode)).toEqual(failure);
  });
});
