import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { OrderCard } from "#contract/card.ts";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import { openOrder, type OrderScreen } from "../testing/order-screen.tsx";
import { cardTerms, providerCard, stateCard } from "../page/order-parts.ts";
import { sampleOrder } from "../testing/sample-order.ts";

const USD = sampleInstrument("usd", { currencyTitle: "USD", instrumentType: "fiat", precisionDecimals: 2 });
const CREATED: OrderEventKind[] = ["CREATION_END"];
const PAID: OrderEventKind[] = [...CREATED, "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];

const purchase = (kinds: OrderEventKind[], state: OrderCard["state"], changes: Partial<Order>): Order => {
  const sample = sampleOrder(kinds, changes);
  const steps = (["paid", "checked", "sent"] as const).map((kind) => ({ kind, at: null }));
  return {
    ...sample,
    rateMode: "FLOATING",
    expiresAt: null,
    pair: { instrumentFrom: USD, instrumentTo: sample.pair.instrumentFrom },
    depositAddress: null,
    depositUri: "",
    card: { provider: "Mercuryo", direction: "buy", state, reference: "m-1", supportUrl: null, steps },
  };
};
const review = (reason: "LATE_DEPOSIT" | "PAYMENT_CHECK") => ({ reason, needed: "PROVIDER", until: null }) as const;

let screen: OrderScreen;
const open = async (...args: Parameters<typeof openOrder>) => void (screen = await openOrder(...args));

beforeAll(async () => {
  const i18n = createI18n("en", allMessages("en"));
  await Promise.all([stateCard, providerCard, cardTerms].map((part) => part.preload(i18n)));
});
beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(async () => {
  await screen.close();
  vi.restoreAllMocks();
});

describe("a purchase in review", () => {
  it("that was paid after it had ended isn't said to be unpaid", async () => {
    await open(purchase(CREATED, "cancelled", { status: "expired", review: review("LATE_DEPOSIT") }));
    expect(screen.text()).toContain("The payment came after the order had ended");
    expect(screen.text()).toContain("Our team is settling it with Mercuryo");
    expect(screen.text()).not.toMatch(/Nothing was charged|Coins arrived|as soon as one can/u);
  });

  it("that failed at its provider isn't said to be on its way", async () => {
    const sending: OrderEventKind[] = [...PAID, "FUNDS_WITHDRAWAL_START"];
    await open(purchase(sending, "failed", { review: review("PAYMENT_CHECK") }));
    expect(screen.text()).toContain("What Mercuryo reports differs from this order");
    expect(screen.text()).not.toMatch(/on their way|before it is sent|as soon as one can/u);
  });

  it("whose amounts differ still says where it is, in Russian too", async () => {
    await open(purchase(PAID, "paid", { review: review("PAYMENT_CHECK") }), 60, "ru");
    expect(screen.text()).toContain("Заявка на проверке");
    expect(screen.text()).toContain("Данные Mercuryo расходятся с этой заявкой");
    expect(screen.text()).toContain(
      allMessages("ru").order.card.state.checking.title.replace("{{provider}}", "Mercuryo"),
    );
  });
});
