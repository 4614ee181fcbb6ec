import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { OrderCard } from "#contract/card.ts";
import { rememberPayment } from "../../../shared/browser/pending-payment.ts";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";
import { openOrder, type OrderScreen } from "../testing/order-screen.tsx";
import { cardTerms, payCard, providerCard } from "../page/order-parts.ts";
import { sampleOrder } from "../testing/sample-order.ts";

const USD = sampleInstrument("usd", { currencyTitle: "USD", instrumentType: "fiat", precisionDecimals: 2 });
const CARD: OrderCard = {
  provider: "Mercuryo",
  direction: "sell",
  state: "opened",
  reference: "m-1",
  supportUrl: null,
  steps: [
    { kind: "paid", at: null },
    { kind: "checked", at: null },
    { kind: "sent", at: null },
  ],
};
const order = (orderId: string, direction: OrderCard["direction"] = "sell") => {
  const sample = sampleOrder(["CREATION_END"]);
  const { instrumentFrom: ETH } = sample.pair;
  const pair =
    direction === "sell" ? { instrumentFrom: ETH, instrumentTo: USD } : { instrumentFrom: USD, instrumentTo: ETH };
  return {
    ...sample,
    orderId,
    rateMode: "FLOATING" as const,
    expiresAt: null,
    pair,
    ...(direction === "buy" && { depositAddress: null, depositUri: "" }),
    redirectUrl: "https://provider.example/widget?t=1",
    card: { ...CARD, direction },
  };
};

let screen: OrderScreen;
const open = async (...args: Parameters<typeof openOrder>) => void (screen = await openOrder(...args));
const reopen = async (...args: Parameters<typeof openOrder>) => {
  await screen.close();
  await open(...args);
};
/** The filled buttons of the page itself, not of a window. */
const filled = (): string[] =>
  [...screen.box.querySelectorAll(".w-order__pinned a, .w-order__pinned button")].map(({ textContent }) => textContent);

beforeAll(async () => {
  const i18n = createI18n("en", allMessages("en"));
  await Promise.all([payCard, providerCard, cardTerms].map((part) => part.preload(i18n)));
});
beforeEach(() => {
  localStorage.clear();
  vi.spyOn(globalThis, "open").mockReturnValue(null);
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(async () => {
  await screen.close();
  vi.restoreAllMocks();
});

describe("the steps of an order by card", () => {
  it.each([
    ["sell", "SendCheckPayout"],
    ["buy", "PaymentCheckSending"],
  ] as const)("to %s are named by what they are: none says that it has happened", async (direction, names) => {
    await open(order("steps", direction));
    const labels = [...screen.box.querySelectorAll(".w-order__steps li")].map(({ textContent }) => textContent);
    expect(labels.join("").replaceAll(/[0-9]|done|now|next|current/gi, "")).toContain(names);
  });
});

describe("the card of a sale", () => {
  it("is to be named first", async () => {
    await open(order("sale-new"));
    expect(screen.text()).toContain("Tell Mercuryo your card");
    expect(filled()).toEqual(["Open the card page"]);
  });

  it("once its page was opened, is replaced by sending the coins, also after a reload, and its page stays reachable", async () => {
    await open(order("sale-opened"));
    await screen.press("Open the card page");
    await reopen(order("sale-opened"));
    expect(screen.text()).toContain("Now send 0.5 ETH");
    expect(screen.text()).not.toContain("Tell Mercuryo your card");
    expect(filled()).toEqual(["Open in wallet"]);
    const again = [...screen.box.querySelectorAll("a")].find(({ textContent }) => textContent === "Open the card page");
    expect(again?.getAttribute("href")).toBe("https://provider.example/widget?t=1");
  });

  it("is taken for named where its customer says so in the window", async () => {
    rememberPayment("sale-said");
    await open(order("sale-said"));
    const said = await vi.waitFor(async () => {
      await screen.pass(0.1);
      const buttons = [...document.querySelectorAll("button")];
      return (
        buttons.find(({ textContent }) => textContent.startsWith("I’ve named it")) ??
        Promise.reject(new Error("no window"))
      );
    }, 10_000);
    said.click();
    await screen.pass(0.1);
    expect(screen.text()).toContain("Now send 0.5 ETH");
    await reopen(order("sale-said"));
    expect(screen.text()).toContain("Now send 0.5 ETH");
  });

  it("is still to be named for another sale, and a purchase is still to be paid once its page was opened", async () => {
    await open(order("sale-one"));
    await screen.press("Open the card page");
    await reopen(order("sale-other"));
    expect(filled()).toEqual(["Open the card page"]);
    await reopen(order("purchase", "buy"));
    await screen.press("Open the payment page");
    await reopen(order("purchase", "buy"));
    expect(filled()).toEqual(["Open the payment page"]);
  });

  it.each(["no json", "7", "[7]"])("is to be named where the device keeps %s", async (saved) => {
    localStorage.setItem("named-cards:v1", saved);
    globalThis.dispatchEvent(new StorageEvent("storage", { key: "named-cards:v1" }));
    await open(order("sale-broken"));
    expect(filled()).toEqual(["Open the card page"]);
  });
});
