import { expect, it } from "vitest";
import { type FailedCall, isUncertain, readReoffer, readRequestFailure } from "./request-failure.ts";

const fresh = { refundAmountWithoutNetworkFee: "0.498", networkFee: "0.002" };
const coded = (httpStatus: number, code: string, data: Record<string, unknown> = {}): FailedCall => ({
  kind: "coded",
  httpStatus,
  code,
  data,
});
const bare = (kind: FailedCall["kind"], httpStatus: number | null = null): FailedCall => ({
  kind,
  httpStatus,
  code: null,
  data: {},
});

it.each<[string, FailedCall, object, boolean]>([
  ["no network", bare("network"), { kind: "unknown" }, true],
  ["no answer in time", bare("timeout"), { kind: "unknown" }, true],
  ["an answer that can't be read", bare("unreadable", 200), { kind: "unknown" }, true],
  ["still running", coded(409, "ERR_BAD_REQUEST"), { kind: "unknown" }, true],
  ["a fault of the service", coded(500, "ERR_INTERNAL_SERVER_ERROR"), { kind: "unknown" }, true],
  ["no price now", coded(503, "ERR_SERVICE_UNAVAILABLE"), { kind: "unavailable" }, true],
  ["too many requests", coded(429, "ERR_BAD_REQUEST"), { kind: "unavailable" }, true],
  ["other figures", coded(422, "ERR_UNPROCESSABLE_ENTITY", fresh), { kind: "refund-changed", info: fresh }, false],
  [
    "a fee above the deposit",
    coded(422, "ERR_UNPROCESSABLE_ENTITY", { refundAmountWithoutNetworkFee: "0", networkFee: "1" }),
    { kind: "refund-too-small" },
    false,
  ],
  ["a payout that has begun", coded(422, "ERR_UNPROCESSABLE_ENTITY"), { kind: "refused" }, false],
  ["half of the figures", coded(422, "ERR_UNPROCESSABLE_ENTITY", { networkFee: "1" }), { kind: "refused" }, false],
  [
    "the receiving address",
    coded(400, "ERR_VALIDATION", { refundAddress: "error_address_must_be_different" }),
    { kind: "address", reason: "same" },
    false,
  ],
  [
    "a wrong address",
    coded(400, "ERR_VALIDATION", { refundAddress: "error_address_incorrect" }),
    { kind: "address", reason: "incorrect" },
    false,
  ],
  [
    "an address that nobody can be paid at",
    coded(400, "ERR_VALIDATION", { refundAddress: "error_address_unpayable" }),
    { kind: "address", reason: "unpayable" },
    false,
  ],
  ["another field", coded(400, "ERR_VALIDATION", { orderId: "too long" }), { kind: "refused" }, false],
  ["an unknown order", coded(404, "ERR_NOT_FOUND_E"), { kind: "refused" }, false],
])("%s", (_case, failed, expected, uncertain) => {
  const failure = readRequestFailure(failed);
  expect(failure).toMatchObject(expected);
  expect(isUncertain(failure)).toBe(uncertain);
});

const offer = { price: "1", amountToGet: "2", at: "2026-11-21T14:00:00.000Z", validUntil: "2026-11-21T14:10:00.000Z" };

it.each<[string, FailedCall, typeof offer | null | undefined]>([
  ["a fresh offer", coded(422, "ERR_UNPROCESSABLE_ENTITY", { offer }), offer],
  ["no offer any more", coded(422, "ERR_UNPROCESSABLE_ENTITY", { offer: null }), null],
  ["a refusal", coded(422, "ERR_UNPROCESSABLE_ENTITY"), undefined],
  [
    "an offer without its end",
    coded(422, "ERR_UNPROCESSABLE_ENTITY", { offer: { ...offer, validUntil: 1 } }),
    undefined,
  ],
  ["another code", coded(422, "ERR_NO_LIQUIDITY_AVAILABLE", { offer }), undefined],
  ["no answer", bare("timeout"), undefined],
])("an acceptance answered with %s", (_case, failed, expected) => {
  expect(readReoffer(failed)).toEqual(expected);
});
