import { describe, expect, it } from "vitest";
import type { OrderCard } from "#contract/card.ts";
import { addDecimals } from "#contract/money.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import { sampleOrder } from "../testing/sample-order.ts";
import { cardFees } from "./card-fees.ts";

const USD = sampleInstrument("usd", { currencyTitle: "USD", instrumentType: "fiat", precisionDecimals: 2 });
const ETH = sampleInstrument("eth", {});

const fees = [
  { kind: "processing", amount: "7.2" },
  { kind: "platform", amount: "1" },
  { kind: "network", amount: "0.3" },
] as const;

function orderOf(direction: OrderCard["direction"], quoted: OrderCard["quoted"]) {
  const isBuy = direction === "buy";
  const card: OrderCard = {
    provider: "Mercuryo",
    direction,
    state: "done",
    reference: null,
    supportUrl: null,
    steps: [],
    quoted,
  };
  const order = sampleOrder(["CREATION_END"], {
    pair: isBuy ? { instrumentFrom: USD, instrumentTo: ETH } : { instrumentFrom: ETH, instrumentTo: USD },
    claimedDepositAmount: isBuy ? "200" : "0.06",
    amountToGet: isBuy ? "0.06" : "191.5",
  });
  return { ...order, card };
}

describe("the fees of an order by card", () => {
  it("lead from what is paid to what the coins are worth", () => {
    const terms = cardFees(orderOf("buy", { fees, marketValue: "191.5" }));
    expect(terms?.fiat.slug).toBe("usd");
    expect(addDecimals("191.5", ...fees.map(({ amount }) => amount))).toBe("200");
    expect(terms?.fees).toEqual(fees);
  });

  it("lead from what the coins are worth to what the card gets", () => {
    const order = orderOf("sell", { fees, marketValue: "200" });
    expect(cardFees(order)).toMatchObject({ fiat: { slug: "usd" }, marketValue: "200" });
    expect(addDecimals(order.amountToGet, ...fees.map(({ amount }) => amount))).toBe("200");
  });

  it("leave out what is not taken", () => {
    const [processing, platform] = fees;
    const quoted = { fees: [processing, platform, { kind: "network", amount: "0" }] as const, marketValue: "191.8" };
    const terms = cardFees(orderOf("buy", quoted));
    expect(terms?.fees.map(({ kind }) => kind)).toEqual(["processing", "platform"]);
    expect(addDecimals("191.8", ...(terms?.fees.map(({ amount }) => amount) ?? []))).toBe("200");
  });

  it("are unknown of an order that was made before they were stored", () => {
    expect([cardFees(orderOf("buy", null)), cardFees(orderOf("sell", undefined))]).toEqual([null, null]);
  });
});
