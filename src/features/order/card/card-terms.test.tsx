import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { OrderEventKind } from "#contract/order.ts";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import { cardTerms, payCard, providerCard, receipt } from "../page/order-parts.ts";
import { openOrder, type OrderScreen } from "../testing/order-screen.tsx";
import { sampleOrder } from "../testing/sample-order.ts";

const USD = sampleInstrument("usd", { currencyTitle: "USD", instrumentType: "fiat", precisionDecimals: 2 });

function purchaseAfter(kinds: readonly OrderEventKind[], state: "opened" | "done") {
  const sample = sampleOrder(kinds);
  return {
    ...sample,
    rateMode: "FLOATING" as const,
    expiresAt: null,
    pair: { instrumentFrom: USD, instrumentTo: sample.pair.instrumentTo },
    depositAddress: null,
    depositUri: "",
    claimedDepositAmount: "100",
    claimedPublicRate: { ...sample.claimedPublicRate, price: "0.958634", claimedAmountToReceive: "95.8633" },
    amountToGet: "95.8633",
    card: {
      provider: "Mercuryo",
      direction: "buy" as const,
      state,
      reference: "m-1",
      supportUrl: null,
      steps: [],
      quoted: { fees: [{ kind: "platform", amount: "0.5" }] as const, marketValue: "95.89" },
    },
  };
}

let screen: OrderScreen;

beforeAll(async () => {
  const i18n = createI18n("en", allMessages("en"));
  await Promise.all([payCard, providerCard, cardTerms, receipt].map((part) => part.preload(i18n)));
});
beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(async () => {
  await screen.close();
  vi.restoreAllMocks();
});

it("an order by card has one rate in its summary and its receipt, and promises nothing once the coins have come", async () => {
  screen = await openOrder(purchaseAfter(["CREATION_END"], "opened"));
  expect(screen.text()).toContain("You get about");
  expect(screen.text()).toContain("1 USD = 0.958633 USDT");
  await screen.close();
  const kinds = ["CREATION_END", "INCOMING_FUNDS_DETECTED", "WITHDRAWAL_COMPLETED"] as const;
  screen = await openOrder(purchaseAfter(kinds, "done"));
  expect(screen.text()).toContain("1 USD = 0.958633 USDT");
  expect(screen.text()).not.toContain("You get about");
  expect(screen.text()).toContain("Carried out by Mercuryo");
});
