import { describe, expect, it } from "vitest";
import signatures from "../../../tests/support/card/signature-vectors.json" with { type: "json" };
import { furthestNews, readCallback, signatureOf } from "./news.ts";

const KEY = "sign key";
const MERCHANT = "a-1";
const operation = (changes: Record<string, unknown> = {}) => ({
  id: "058dc74257a417582",
  merchant_transaction_id: MERCHANT,
  fiat_currency: "EUR",
  fiat_amount: "27.77",
  currency: "BTC",
  amount: "0.00300",
  status: "paid",
  ...changes,
});
const callback = (type: string, changes: Record<string, unknown> = {}) => {
  const body = JSON.stringify({ payload: { data: { ...operation(changes), type } } });
  return readCallback(body, signatureOf(body, KEY), KEY);
};

describe("the signature of a callback", () => {
  it.each(signatures.vectors)("is $signature", ({ signKey, body, signature }) => {
    expect(signatureOf(body, signKey)).toBe(signature);
  });

  it.each([
    ["is missing", null],
    ["is empty", ""],
    ["is of another key", signatureOf("{}", "another key")],
    ["is of another body", signatureOf("{ }", KEY)],
    ["is cut", signatureOf("{}", KEY).slice(0, 63)],
  ])("that %s is forged", (_, signature) => {
    expect(readCallback("{}", signature, KEY)).toBe("forged");
  });

  it("may be written in capitals", () => {
    expect(readCallback("{}", signatureOf("{}", KEY).toUpperCase(), KEY)).toBe("unreadable");
  });
});

describe("a callback", () => {
  it.each([
    ["buy", "new", "opened"],
    ["buy", "pending", "opened"],
    ["buy", "paid", "paid"],
    ["buy", "order_scheduled", "paid"],
    ["buy", "cancelled", "cancelled"],
    ["buy", "order_failed", "failed"],
    ["buy", "descriptor_failed", "failed"],
    ["withdraw", "pending", "sending"],
    ["withdraw", "completed", "done"],
    ["withdraw", "failed", "refunded"],
    ["deposit", "pending", "opened"],
    ["deposit", "succeeded", "paid"],
    ["deposit", "failed", "failed"],
    ["sell", "pending", "sending"],
    ["sell", "succeeded", "done"],
    ["sell", "completed", "done"],
    ["sell", "failed", "refunded"],
  ])("of %s %s says %s", (type, status, state) => {
    expect(callback(type, { status })).toMatchObject({ state, merchantId: MERCHANT });
  });

  it("has its amounts as they are written", () => {
    expect(callback("withdraw", { status: "completed", amount: 0.1, tx: { id: "0xabc" } })).toEqual({
      merchantId: MERCHANT,
      state: "done",
      reference: "058dc74257a417582",
      fiat: "EUR",
      fiatAmount: "27.77",
      coin: "BTC",
      coinAmount: "0.1",
      txId: "0xabc",
    });
  });

  it.each([
    ["an unknown status", { status: "paid_twice" }],
    ["no id of ours", { merchant_transaction_id: undefined }],
    ["an endless amount", { amount: "1".repeat(81) }],
  ])("with %s is unreadable", (_, changes) => {
    expect(callback("buy", changes)).toBe("unreadable");
  });
});

describe("the list of transactions", () => {
  it("says how far the furthest operation has come", () => {
    const listed: Parameters<typeof furthestNews>[0] = [
      { buy: { ...operation(), amount: "0.003", fiat_amount: "27.77" } },
      { withdraw: { ...operation({ status: "pending" }), amount: "0.003", fiat_amount: "27.77" } },
    ];
    expect(furthestNews(listed, MERCHANT, "buy")).toMatchObject({ state: "sending" });
    expect(furthestNews(listed, "another", "buy")).toBeNull();
    expect(furthestNews(listed, MERCHANT, "sell")).toBeNull();
    expect(furthestNews([], MERCHANT, "buy")).toBeNull();
    expect(() => furthestNews([{ buy: operation({ status: "?" }) }], MERCHANT, "buy")).toThrow("unknown status");
  });
});
