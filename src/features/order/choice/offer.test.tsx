import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { act } from "react";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { openOrder, type OrderScreen } from "../testing/order-screen.tsx";
import { at, deposit, ms, sampleOrder } from "../testing/sample-order.ts";

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const LATE: OrderEventKind[] = [...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"];
const offer = { price: "2940.664", amountToGet: "1470.332", at: at(4), validUntil: at(604) };
const newer = { price: "2800", amountToGet: "1400", at: at(700), validUntil: at(1300) };
const deposits = [deposit("0.5", 1)];
const order = sampleOrder(LATE, { deposits, offer });
const unmined = sampleOrder(LATE, { deposits: [deposit("0.5", 0)], offer });
const accepted = sampleOrder([...LATE, "RATE_MODE_CHANGE_ACCEPTED"], { deposits });
const refusal = (data?: { offer: Order["offer"] }) => ({
  status: 422,
  body: { status: "ERR_UNPROCESSABLE_ENTITY", message: "no", data, traceId: "t" },
});

let screen: OrderScreen;
const open = async (...args: Parameters<typeof openOrder>) => void (screen = await openOrder(...args));
const accept = (): HTMLInputElement => {
  const found = screen.box.querySelector<HTMLInputElement>("input[value=accept]");
  if (found === null) throw new Error("no offer to accept");
  return found;
};
const choose = () => act(async () => accept().click());
const clock = () => screen.box.querySelector("[role=timer]")?.textContent;
const struck = () => [...screen.box.querySelectorAll(".w-order-choice__card del")].map((del) => del.textContent).join();
const alerts = () => screen.box.querySelectorAll("[role=alert]").length;
const goTo = async (seconds: number) => {
  vi.setSystemTime(ms(seconds - 1));
  await screen.pass(1);
};

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(async () => {
  await screen.close();
  vi.restoreAllMocks();
});

describe("how long an offer is good", () => {
  it("is counted down, and read out at its marks alone", async () => {
    await open(order);
    expect(screen.text()).toContain("This offer is good for");
    expect(clock()).toBe("09:04");
    await goTo(304);
    expect(await screen.announced()).toContain("5 minutes left of this offer");
    const said = await screen.announced();
    await screen.pass(20);
    expect(await screen.announced()).toBe(said);
  });

  it("is no shorter than the service's: at 00:00 it can still be accepted, a second later it can't", async () => {
    await open(order);
    await choose();
    await goTo(604);
    expect(clock()).toBe("00:00");
    expect(accept().disabled).toBe(false);
    await goTo(605);
    expect(clock()).toBeUndefined();
    expect([accept().disabled, accept().checked]).toEqual([true, false]);
    expect(await screen.announced()).toContain("This offer has ended");
  });
});

describe("an offer that has ended", () => {
  it("compares nothing: its rate is of an older market", async () => {
    await open(order, 590);
    const rates = () => screen.box.querySelector(".w-order-rates")?.textContent ?? "";
    expect(rates()).toContain("Rate now");
    expect(rates()).toContain("lower");
    await goTo(605);
    expect(rates()).toContain("Rate you had");
    expect(rates()).not.toMatch(/Rate now|2.940|lower/);
    screen.service.answers = [refusal({ offer: newer })];
    await goTo(700);
    await screen.press("Get a new offer");
    expect(rates()).toMatch(/Rate now2.800/);
    expect(rates()).toContain("6.04% lower");
  });

  it("is replaced by a new one on request, which stands beside the old one and is not accepted", async () => {
    await open(order, 700);
    expect(screen.text()).toContain("This offer has ended");
    screen.service.answers = [refusal({ offer: newer })];
    await screen.press("Get a new offer");
    expect(struck()).toContain("470.332");
    expect(screen.text()).toContain("1 400 USDT");
    expect(screen.text()).toContain("An amount has changed. Choose again.");
    expect([accept().checked, accept().disabled, alerts(), clock()]).toEqual([false, false, 0, "10:00"]);
  });

  it("says so where the new one is for the same sum", async () => {
    await open(order, 700, "ru");
    screen.service.answers = [refusal({ offer: { ...newer, price: offer.price, amountToGet: offer.amountToGet } })];
    await screen.press("Запросить новое");
    expect(screen.text()).toContain("Это новое предложение на ту же сумму");
    expect(accept().checked).toBe(false);
  });

  it("leaves a refund or a top-up where no rate takes the sum any more", async () => {
    await open(order, 700);
    screen.service.answers = [refusal({ offer: null })];
    await screen.press("Get a new offer");
    expect(screen.text()).toContain("The new rate can’t be used for this amount");
    expect(alerts()).toBe(0);
  });
});

describe("an acceptance that the market has left", () => {
  it("shows the new sum beside the old one without an error, and asks again under another key", async () => {
    await open(order);
    await choose();
    screen.service.answers = [refusal({ offer: newer }), { status: 200, body: accepted }];
    await screen.press("Accept 1 470.332 USDT");
    expect([struck(), alerts(), accept().checked]).toEqual([expect.stringContaining("470.332"), 0, false]);
    screen.service.order = { ...order, offer: newer };
    await choose();
    await screen.press("Accept 1 400 USDT");
    expect(screen.text()).toContain("You accepted");
    expect(new Set(screen.service.keys).size).toBe(2);
  });
});

describe("a deposit that is in no block", () => {
  it("can't be bound to an offer yet, and the page says why", async () => {
    await open(unmined);
    expect(screen.text()).toContain("You can accept the rate once it is");
    await choose();
    const action = [...screen.box.querySelectorAll("button")].filter(({ textContent }) =>
      /first block/.test(textContent),
    );
    expect(action.map(({ disabled }) => disabled)).toContain(true);
    expect(action.some(({ disabled }) => !disabled)).toBe(false);
  });

  it("is shown plainly where the service refuses for it", async () => {
    await open(order);
    await choose();
    screen.service.order = unmined;
    screen.service.answers = [refusal()];
    await screen.press("Accept 1 470.332 USDT");
    expect(screen.text()).toContain("no rate can be accepted for it. Try again after its first confirmation");
  });
});
