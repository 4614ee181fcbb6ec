import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { act, type ComponentType } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { forgetServerTime } from "../../../shared/http/server-clock.ts";
import { notifications } from "../../../shared/page/notifications.ts";
import { call } from "../../../shared/http/http.ts";
import { startAnalytics } from "../../../shared/analytics/track.ts";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { at, deposit, ms, sampleOrder, withdrawal } from "../testing/sample-order.ts";
import { prefetchParts, ringCard } from "./order-parts.ts";
import { OrderPageAt, type FoundOrder } from "../testing/order-page-at.tsx";
import type { RingCardProps } from "./confirmation-card.tsx";

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const DONE: OrderEventKind[] = [...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"];
const created = sampleOrder(["CREATION_END"]);
const paid = sampleOrder(PAID, { deposits: [deposit("0.5", 1)] });
const ended = sampleOrder([...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"], {
  deposits: [deposit("0.5", 1)],
});
const done = sampleOrder(DONE, { deposits: [deposit("0.5", 3)], withdrawals: [withdrawal("1490", "payout")] });
const unknown = { status: "ERR_NOT_FOUND_E", message: "no such order", traceId: "t1" };

/** The service as the page meets it: answers what the test says, or is not there. */
const service = {
  answer: { status: 200, body: created } as { status: number; body: unknown } | null,
  /** What its clock is ahead of this device's, in milliseconds; null for answers that do not tell. */
  ahead: null as number | null,
  asked: [] as string[],
};

async function answer(input: RequestInfo | URL): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  service.asked.push(new URL(url, location.origin).pathname);
  if (service.answer === null) throw new TypeError("Failed to fetch");
  const headers: Record<string, string> =
    service.ahead === null ? {} : { "server-time": new Date(Date.now() + service.ahead).toISOString() };
  return Response.json(service.answer.body, { status: service.answer.status, headers });
}

const i18n = createI18n("en", allMessages("en"));

let root: Root;
let box: HTMLElement;

const open = (data: Partial<FoundOrder> = {}, isSandbox = false): Promise<void> =>
  act(async () => root.render(<OrderPageAt i18n={i18n} order={created} data={data} isSandbox={isSandbox} />));

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
const text = (): string => box.textContent;
/** What is announced to screen readers, after the pause between two messages. */
async function announced(): Promise<string> {
  await pass(3.1);
  return [...box.querySelectorAll("[role=status]")].map(({ textContent }) => textContent).join(" ");
}
const polls = (): number => service.asked.filter((path) => path.endsWith("/public-info")).length;
const button = (name: string): HTMLButtonElement | undefined =>
  [...box.querySelectorAll("button")].find((element) => element.textContent.trim() === name);

function show(visibility: "visible" | "hidden"): void {
  Object.defineProperty(document, "visibilityState", { configurable: true, value: visibility });
  document.dispatchEvent(new Event("visibilitychange"));
}

async function saveEmail(email: string): Promise<void> {
  const field = box.querySelector<HTMLInputElement>("#order-email");
  if (field === null) throw new Error("no email field");
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, email);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => button("Save email")?.click());
  await pass(0.1);
}

beforeEach(async () => {
  // What is loaded on demand is loaded now, so that only the page's own timers are left to run.
  await Promise.all([
    import("../../../shared/http/http-client.ts"),
    import("../store.ts"),
    import("./unsent-events.ts"),
  ]);
  prefetchParts(i18n);
  await vi.dynamicImportSettled();
  vi.useFakeTimers({ now: ms(60) });
  vi.stubGlobal("fetch", vi.fn(answer));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
  service.answer = { status: 200, body: created };
  service.ahead = null;
  forgetServerTime();
  service.asked = [];
  notifications.queue = [];
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
});

afterEach(async () => {
  await act(async () => root.unmount());
  box.remove();
  show("visible");
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("an open order's page", () => {
  it("shows what it was rendered with, then polls every five seconds until the order is done", async () => {
    await open();
    expect(text()).toContain("Send exactly");
    expect(polls()).toBe(0);
    await pass(5.1);
    expect(polls()).toBe(1);
    service.answer = { status: 200, body: paid };
    await pass(5);
    expect(polls()).toBe(2);
    expect(text()).toContain("Waiting for the Ethereum network");
    service.answer = { status: 200, body: done };
    await pass(5);
    expect(text()).toContain("Sent to you");
    await pass(60);
    expect(polls()).toBe(3);
  });

  it("also loads the refund's figures for a fixed rate, with its first call, and not for a floating one", async () => {
    const refundInfo = "/api/v1/orders/order-refund-info";
    const floating = { ...created, rateMode: "FLOATING" as const, expiresAt: null };
    service.answer = { status: 200, body: floating };
    await open({ order: floating });
    await pass(5.1);
    expect([polls(), service.asked.includes(refundInfo)]).toEqual([1, false]);
    service.answer = { status: 200, body: created };
    await open({ destinationAddress: `${created.destinationAddress} ` });
    expect(service.asked).not.toContain(refundInfo);
    await pass(5.1);
    expect(service.asked).toContain(refundInfo);
  });

  it("has the refund's figures at once where a deposit has come", async () => {
    await open({ order: paid });
    await pass(0.1);
    expect(service.asked).toContain("/api/v1/orders/order-refund-info");
  });

  it("stays on the screen that it has until the next one's code is there", async () => {
    const code = Promise.withResolvers<ComponentType<RingCardProps>>();
    const late = lazyWithPreload("late.tsx", () => code.promise);
    vi.spyOn(ringCard, "Component", "get").mockReturnValue(late.Component);
    await open();
    service.answer = { status: 200, body: paid };
    await pass(5.1);
    expect(text()).toContain("Send exactly");
    const before = text();
    await pass(2);
    expect(text()).not.toBe(before);
    await act(async () => code.resolve(() => "the next screen"));
    expect(text()).toContain("the next screen");
  });

  it("never asks about an order that is done", async () => {
    await open({ order: done });
    await pass(60);
    expect(polls()).toBe(0);
  });

  it("rests while it is hidden and checks at once when it is visible again", async () => {
    await open();
    show("hidden");
    await pass(30);
    expect(polls()).toBe(0);
    await act(async () => show("visible"));
    await pass(0.1);
    expect(polls()).toBe(1);
  });

  it("checks at once when the browser restores the page from its cache", async () => {
    await open();
    await act(async () => dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
    await pass(0.1);
    expect(polls()).toBe(1);
  });

  it("keeps the order on the screen with its age while the service is not reached, and recovers", async () => {
    await open();
    service.answer = null;
    await pass(20);
    expect(text()).toContain("The order didn’t reload");
    expect(text()).toContain("as it was 20\u00A0s ago");
    expect(text()).toContain("Last seen 14:01");
    expect(text()).toContain("Send exactly");
    service.answer = { status: 200, body: paid };
    await pass(8);
    expect(text()).not.toContain("didn't reload");
    expect(text()).not.toContain("Last seen");
    expect(text()).toContain("Waiting for the Ethereum network");
  });

  it("checks once every five seconds while the service fails, however often it is asked and focused meanwhile", async () => {
    await open();
    service.answer = { status: 403, body: { status: "ERR_FORBIDDEN", message: "no", traceId: "t" } };
    await pass(6);
    for (let press = 0; press < 4; press += 1) {
      await act(async () => button("Try again")?.click());
      await act(async () => dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));
      await pass(1.2);
    }
    const before = polls();
    await pass(30);
    expect(polls() - before).toBe(6);
  });

  it("becomes the look-up page and stops polling when the address is judged incorrect", async () => {
    await open();
    service.answer = { status: 404, body: unknown };
    await pass(5.1);
    expect(text()).toContain("We can’t find this order with this address");
    const asked = polls();
    await pass(60);
    expect(polls()).toBe(asked);
  });

  it("says that a saved order is old, and asks for the current one at once", async () => {
    service.answer = null;
    await open({ savedAt: at(-3600) });
    expect(text()).toContain("as it was 1\u00A0h ago");
    expect(text()).toContain("Copy address");
    service.answer = { status: 200, body: paid };
    await pass(12);
    expect(text()).not.toContain("ago.");
  });

  it("counts the rate lock down by the server's clock and stops offering the address at its end", async () => {
    await open();
    expect(box.querySelector("[role=timer]")?.textContent).toBe("19:00");
    vi.setSystemTime(ms(1079));
    await pass(1);
    expect(box.querySelector("[role=timer]")?.textContent).toBe("02:00");
    vi.setSystemTime(ms(1199));
    await pass(1);
    expect(text()).toContain("Don’t send to this address any more");
    expect(button("Copy address")).toBeUndefined();
    expect(box.querySelector("[role=img]")).toBeNull();
    expect(await announced()).toContain("The fixed rate has ended. Don’t send to this address any more");
  });

  it("counts by the service's clock where the page was opened inside the app and the device's clock is slow", async () => {
    service.ahead = 600_000;
    await call("orderInfo", { query: created });
    await open();
    await pass(1);
    expect(box.querySelector("[role=timer]")?.textContent).toBe("08:59");
  });

  it("counts on from where the service's clock was moved to", async () => {
    await open();
    service.ahead = 900_000;
    await pass(5.5);
    expect(box.querySelector("[role=timer]")?.textContent).toBe("03:54");
  });

  it("reads out what is left at each mark, and each new state once it is there, but not the first one", async () => {
    await open();
    expect(await announced()).not.toContain("Waiting for your deposit");
    vi.setSystemTime(ms(601));
    await pass(1);
    expect(await announced()).toContain("10 minutes left of the rate lock");
    service.answer = { status: 200, body: paid };
    await pass(5);
    expect(await announced()).toContain("1 of 3 confirmations. Waiting for the Ethereum network");
    service.answer = { status: 200, body: ended };
    await pass(5);
    expect(await announced()).toContain(
      "The fixed rate has ended. Choose what to do next. Your money stays put until you decide.",
    );
    service.answer = { status: 200, body: done };
    await pass(5);
    expect(await announced()).toContain("Sent to you: 1\u202F490\u00A0USDT");
  });
});

describe("a refund's receipt", () => {
  it("puts what was promised beside what was delivered, and says what was not exchanged", async () => {
    const refunded = sampleOrder([...PAID, "REFUND_REQUESTED", "REFUND_COMPLETED"], {
      deposits: [deposit("0.5", 3)],
      withdrawals: [withdrawal("0.4998", "refund")],
    });
    service.answer = { status: 200, body: { refundAmountWithoutNetworkFee: "0.4999", networkFee: "0.0001" } };
    await open({ order: refunded });
    await pass(0.1);
    const rows = [...box.querySelectorAll(".w-order-receipt .w-order-rows__row")].map(({ children }) =>
      [...children].map(({ textContent }) => textContent.replace(/\s/g, " ")),
    );
    expect(rows).toEqual(
      expect.arrayContaining([
        ["You sent", "0.5 ETHEthereum, $1 500.00"],
        ["Quoted (fixed)", "1 490 USDTnot exchanged"],
        ["Network fee", "0.0001 ETH"],
        ["Refund quoted", "0.4999 ETH"],
        ["Refunded", "0.4998 ETH$1 499.40 at the time of the order"],
      ]),
    );
  });
});

describe("a payout's receipt", () => {
  it("has every address and hash whole, each with a button that copies it", async () => {
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (value) => void copied.push(value));
    await open({ order: done });
    const codes = [...box.querySelectorAll(".w-order-receipt [data-address]")].map(
      (code) => (code as HTMLElement).dataset["address"],
    );
    const hashes = [...done.deposits, ...done.withdrawals].map(({ txId }) => txId);
    expect(new Set(codes)).toEqual(new Set([done.destinationAddress, done.depositAddress, ...hashes]));
    const buttons = [...box.querySelectorAll<HTMLElement>(".w-order-receipt__code button")];
    expect(buttons.map((button) => button.getAttribute("aria-label"))).toContain("Copy: Transaction");
    for (const button of buttons) await act(async () => button.click());
    expect(copied).toEqual(codes);
    expect(text()).toContain("$1\u202F490.00 at the time of the order");
  });

  it("names the dollar value at completion where that is known, and the quote's at its own time", async () => {
    await open({ order: { ...done, finalPricesUsd: { from: "2000", to: "0.5" } } });
    expect(text()).toContain("$745.00 at completion");
    expect(text()).toContain("Ethereum, $1\u202F000.00");
    expect(text()).toContain("$1\u202F490.00 at the time of the order");
  });

  it("names no dollar value where no price was known", async () => {
    await open({ order: { ...done, pricesUsd: null } });
    expect(text()).toContain("Sent to you");
    expect(text()).not.toContain("$");
  });
});

describe("analytics", () => {
  type Pushed = { event: string };
  const layer = () => (globalThis as { dataLayer?: Pushed[] }).dataLayer;
  const switchOn = (): (() => void) => {
    let stop: (() => void) | undefined;
    act(() => void (stop = startAnalytics("s1", () => "guest")));
    return () => stop?.();
  };
  const next = `${created.destinationAddress} `;

  afterEach(() => {
    delete (globalThis as { dataLayer?: Pushed[] }).dataLayer;
    localStorage.clear();
  });

  it("get nothing while they are off", async () => {
    await open({ order: done });
    await pass(0.1);
    expect(layer()).toBeUndefined();
    expect(localStorage.getItem("wherry-told-steps")).toBeNull();
  });

  it("get each step once, also when they are switched on later and the page is opened again", async () => {
    await open({ order: paid });
    const stop = switchOn();
    await pass(0.1);
    service.answer = { status: 200, body: ended };
    await pass(5.1);
    await pass(15);
    await open({ order: done, destinationAddress: next });
    await pass(0.1);
    act(stop);
    expect(layer()?.map(({ event }) => event)).toEqual(["deposit seen", "choice needed", "exchange completed"]);
    expect(layer()?.[0]).toEqual({
      event: "deposit seen",
      from: "eth",
      to: "usdt-erc20",
      rateMode: "FIXED",
      userType: "guest",
      sessionId: "s1",
    });
  });

  it("hear that an email was set, and not which", async () => {
    await open();
    const stop = switchOn();
    await pass(0.1);
    service.answer = { status: 200, body: { orderId: created.orderId, isEmailConfirmed: true } };
    await saveEmail("m.larsen@example.com");
    act(stop);
    expect(layer()?.map(({ event }) => event)).toEqual(["email set"]);
    const said = JSON.stringify([layer(), localStorage.getItem("wherry-told-steps")]);
    for (const secret of ["m.larsen", created.orderId, created.destinationAddress, created.depositAddress])
      expect(said).not.toContain(secret);
  });
});

describe("paying from the sandbox", () => {
  it("is offered only where the server says that there is one, and only before a deposit", async () => {
    await open();
    expect(button("Pay from the sandbox")).toBeUndefined();
    await open({}, true);
    expect(button("Pay from the sandbox")).toBeDefined();
    await open({ order: paid, destinationAddress: `${created.destinationAddress} ` }, true);
    expect(button("Pay from the sandbox")).toBeUndefined();
  });

  it("says what the sandbox said when it doesn't pay", async () => {
    await open({}, true);
    service.answer = {
      status: 422,
      body: { status: "ERR_BALANCE_TOO_LOW", message: "the wallet is empty", traceId: "t" },
    };
    await act(async () => button("Pay from the sandbox")?.click());
    await pass(0.1);
    expect(text()).toContain("The sandbox didn’t pay: the wallet is empty");
    expect(service.asked).toContain("/sandbox/pay");
  });

  it("says what was paid", async () => {
    await open({}, true);
    service.answer = { status: 200, body: { orderId: created.orderId, txId: "0x1", amount: "0.5", instrument: "eth" } };
    await act(async () => button("Pay from the sandbox")?.click());
    await pass(0.1);
    expect(text()).toContain("Paid 0.5\u00A0ETH");
  });
});

describe("an order's email", () => {
  it("is not sent when it is none, and the field says why", async () => {
    await open();
    await saveEmail("nobody");
    expect(text()).toContain("This is not an email address");
    expect(service.asked).not.toContain("/api/v1/orders/public/set-email");
  });

  it("that is already set is reported for three seconds", async () => {
    await open();
    service.answer = { status: 422, body: { status: "ERR_UNPROCESSABLE_ENTITY", message: "set", traceId: "t2" } };
    await saveEmail("a+b@example.com");
    expect(text()).toContain("The + was removed, we don’t support it. You can’t change it later.");
    expect(notifications.queue).toMatchObject([
      { type: "error", message: "This order already has an email", timeoutMs: 3000 },
    ]);
  });

  it("that was added without the page is confirmed here, or replaced", async () => {
    const stranger = { ...created, userEmail: "eve@example.com", isEmailConfirmed: false } satisfies Order;
    await open({ order: stranger });
    expect(text()).toContain("added without opening this page");
    await act(async () => button("Use another email")?.click());
    expect(box.querySelector("#order-email")).not.toBeNull();

    await act(async () => root.unmount());
    root = createRoot(box);
    await open({ order: stranger });
    service.answer = { status: 200, body: { ...stranger, isEmailConfirmed: true } };
    await act(async () => button("Confirm this email")?.click());
    await pass(0.1);
    expect(service.asked).toContain("/api/v1/orders/public/set-email");
    expect(text()).toContain("eve@example.com");
    expect(text()).not.toContain("added without opening this page");
  });

  it("is shown instead of the field once it is there", async () => {
    await open({ order: { ...created, userEmail: "m.larsen@example.com" } satisfies Order });
    expect(text()).toContain("m.larsen@example.com");
    expect(box.querySelector("#order-email")).toBeNull();
  });
});
