import { describe, expect, it } from "vitest";
import type { OrderCard } from "#contract/card.ts";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import { sampleOrder } from "../testing/sample-order.ts";
import { receiptText } from "./receipt-text.ts";
import { receiptOf } from "./receipt.ts";

const USD = sampleInstrument("usd", { currencyTitle: "USD", instrumentType: "fiat", precisionDecimals: 2 });
const ETH = sampleInstrument("eth");

function textOf(direction: OrderCard["direction"]): string {
  const isBuy = direction === "buy";
  const quoted = {
    fees: [
      { kind: "processing", amount: "3.61" },
      { kind: "platform", amount: "0.5" },
    ] as const,
    marketValue: isBuy ? "95.89" : "100",
  };
  const card: OrderCard = {
    provider: "Mercuryo",
    direction,
    state: "done",
    reference: null,
    supportUrl: null,
    steps: [],
    quoted,
  };
  const get = isBuy ? "0.03197" : "95.89";
  const sample = sampleOrder(["CREATION_END", "INCOMING_FUNDS_DETECTED", "WITHDRAWAL_COMPLETED"]);
  const order = {
    ...sample,
    card,
    rateMode: "FLOATING" as const,
    pair: isBuy ? { instrumentFrom: USD, instrumentTo: ETH } : { instrumentFrom: ETH, instrumentTo: USD },
    claimedDepositAmount: isBuy ? "100" : "0.0333",
    claimedPublicRate: { ...sample.claimedPublicRate, claimedAmountToReceive: get },
    amountToGet: get,
    pricesUsd: isBuy ? { from: "1", to: "2999.7" } : { from: "3003.3", to: "1" },
    finalPricesUsd: isBuy ? { from: "1", to: "2999.9" } : { from: "3003.9", to: "1" },
  };
  const i18n = createI18n("en", allMessages("en"));
  const { caption, lines } = receiptText({
    order,
    receipt: receiptOf(order, "payout"),
    refund: "failed",
    t: i18n.getFixedT("en", "order"),
    common: i18n.getFixedT("en", "common"),
    locale: "en",
    timeZone: "UTC",
  });
  const texts = lines.map(({ label, value, detail }) => `${label}: ${value ?? ""} (${detail ?? ""})`);
  return [caption ?? "", ...texts].join("\n").replaceAll("\u00a0", " ");
}

describe("the receipt of an order by card", () => {
  it.each(["buy", "sell"] as const)(
    "values the coins as its provider did, and names no share of a fee: %s",
    (direction) => {
      const text = textOf(direction);
      expect(text).toContain(`The coins are worth: ${direction === "buy" ? "95.89" : "100.00"} USD`);
      expect(text).not.toMatch(/[$%]/);
    },
  );

  it("counts from the payment where nothing is deposited", () => {
    expect(textOf("buy")).toContain("1 s after your payment");
    expect(textOf("sell")).toContain("1 s after your deposit");
  });
});
