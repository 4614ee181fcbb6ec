import { describe, expect, it } from "vitest";
import { createOrderBodySchema } from "#contract/order.ts";
import { orderBody, orderIdentity } from "./order-body.ts";
import { sampleRate } from "../testing/samples.ts";

const choice = {
  rate: sampleRate(),
  destinationAddress: " 0xabc ",
  destinationAddressMemo: null,
  refundAddress: "0xdef",
  refundAddressMemo: " ",
  userEmail: null,
  referrerId: null,
  browserFingerprint: "b1",
  locale: "en",
};

describe("orderBody", () => {
  it("sends the rate on the screen as the contract's claimed rate", () => {
    const body = orderBody(choice);
    expect(createOrderBodySchema.parse(body)).toMatchObject({
      destinationAddress: "0xabc",
      refundAddress: null,
      claimedDepositAmount: "0.5",
      claimedPublicRate: { price: "2984.6", claimedAmountToReceive: "1492.3", updatedAt: "2026-11-21T09:00:00.000Z" },
    });
  });

  it("sends the refund address at a fixed rate alone", () => {
    expect(orderBody({ ...choice, rate: sampleRate({ rateMode: "FIXED" }) })).toMatchObject({
      refundAddress: "0xdef",
      refundAddressMemo: null,
    });
  });
});

describe("orderIdentity", () => {
  const typed = { side: "to", amount: "1492.3" };
  const identity = orderIdentity(orderBody(choice), typed);

  it("is the same at another rate", () => {
    const moved = { ...choice, rate: sampleRate({ price: "2990", amountToGive: "0.499" }) };
    expect(orderIdentity(orderBody(moved), typed)).toBe(identity);
  });

  it.each([
    ["email", { userEmail: "ann@mail.example" }],
    ["referrer", { referrerId: "r2" }],
    ["browser", { browserFingerprint: "b2" }],
    ["shell", { shell: "telegram" as const }],
  ])("is the same with another %s, which goes along with the order", (_name, other) => {
    expect(orderBody({ ...choice, ...other })).toMatchObject(other);
    expect(orderIdentity(orderBody({ ...choice, ...other }), typed)).toBe(identity);
  });

  it("is the same in another language", () => {
    expect(orderBody({ ...choice, locale: "ru" }).locale).toBe("ru");
    expect(orderIdentity(orderBody({ ...choice, locale: "ru" }), typed)).toBe(identity);
  });

  it("differs for another address and for another amount", () => {
    expect(orderIdentity(orderBody({ ...choice, destinationAddress: "0xabd" }), typed)).not.toBe(identity);
    expect(orderIdentity(orderBody(choice), { side: "to", amount: "1500" })).not.toBe(identity);
    expect(orderIdentity(orderBody(choice), { side: "from", amount: "1492.3" })).not.toBe(identity);
  });
});
