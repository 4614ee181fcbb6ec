import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OrderEventKind } from "#contract/order.ts";
import { PageContext } from "../../../shared/page/page-context.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import type { SavedOrder } from "../store.ts";
import { at, deposit, ms, sampleOrder, withdrawal } from "../testing/sample-order.ts";
import { NoOrder } from "../lookup/no-order.tsx";
import { OrdersPage } from "./orders-page.tsx";

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const DONE: OrderEventKind[] = [...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"];

/** What the device keeps; it may refuse to tell. */
const device = vi.hoisted(() => ({ stored: undefined as unknown, isDenied: false }));

vi.mock("idb-keyval", () => ({
  get: async () => {
    if (device.isDenied) throw new DOMException("denied", "SecurityError");
    return device.stored;
  },
  update: async (_key: string, change: (before: unknown) => unknown) => void (device.stored = change(device.stored)),
}));

const ID = "AAAAAAAAAAAAAAAAAAAAAAA";
const paid: SavedOrder = {
  order: sampleOrder(PAID, { orderId: `${ID}1`, reference: "PAID-0001", deposits: [deposit("0.5", 1)] }),
  destinationAddress: "0xto",
  seenAt: at(30),
};
const done: SavedOrder = {
  order: sampleOrder(DONE, {
    orderId: `${ID}2`,
    reference: "DONE-0002",
    createdAt: "2026-11-20T09:00:00.000Z",
    deposits: [deposit("0.5", 3)],
    withdrawals: [withdrawal("1489.5", "payout")],
  }),
  destinationAddress: "0xto",
  seenAt: at(20),
};

/** The service answers what the test says, or is not there. */
const service = { answer: null as unknown, asked: 0 };

let view: View;
const text = (): string => view.container.textContent.replace(/\s/g, " ");
const pass = (seconds: number) => settled(() => vi.advanceTimersByTimeAsync(seconds * 1000));
const button = (name: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>("button")].find(
    (element) => element.getAttribute("aria-label") === name || element.textContent === name,
  );
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
};
const press = async (name: string) => {
  await settled(() => button(name).click());
  await pass(0.3);
};

async function open(...saved: SavedOrder[]): Promise<void> {
  device.stored = saved;
  const state = { data: null, now: at(330), isSandbox: false };
  view = await render(
    <PageContext value={state}>
      <OrdersPage />
    </PageContext>,
  );
  await pass(0.1);
}

beforeEach(async () => {
  await Promise.all([import("../../../shared/http/http-client.ts"), import("../model/saved-order.ts")]);
  vi.useFakeTimers({ now: ms(330) });
  vi.spyOn(console, "debug").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  Object.assign(device, { stored: undefined, isDenied: false });
  Object.assign(service, { answer: null, asked: 0 });
  vi.stubGlobal("fetch", async () => {
    service.asked += 1;
    if (service.answer === null) throw new TypeError("Failed to fetch");
    return Response.json(service.answer);
  });
});

afterEach(async () => {
  await view.unmount();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("an order's address without one", () => {
  it("lists the five orders that were last seen, with the way on below them, and names each by its networks where need be", async () => {
    const { instrumentTo } = done.order.pair;
    const pair = { instrumentFrom: { ...instrumentTo, networkFriendlyTitle: "Tron" }, instrumentTo };
    const orders = Array.from({ length: 7 }, (_, n) => ({ ...done.order, pair, orderId: `${ID}${n}` }));
    device.stored = orders.map((order, n) => ({ ...done, order, seenAt: at(n) }));
    view = await render(
      <PageContext value={{ data: null, now: at(330), isSandbox: false }}>
        <NoOrder why="pending" asked={{ orderId: "pending", destinationAddress: "" }} />
      </PageContext>,
    );
    await pass(0.1);
    const rows = [...view.container.querySelectorAll<HTMLAnchorElement>(".w-order-saved__row")];
    expect(rows.map(({ href }) => href.at(href.indexOf(ID) + ID.length))).toEqual(["6", "5", "4", "3", "2"]);
    expect(rows[0]?.textContent.replace(/\s/g, " ")).toContain("0.5 USDT (Tron) → 1 489.5 USDT (Ethereum)");
    expect(text()).toContain("Go to the exchange");
  });
});

describe("the page of orders", () => {
  it("says that there are none, where to begin, and how one is found", async () => {
    await open();
    expect(text()).toContain("No orders on this device yet");
    expect(text()).toContain("Go to the exchange");
    expect(view.get("#order-id")).toBeTruthy();
  });

  it("shows what the device keeps under its days, each with its sums, state and a link that opens it", async () => {
    service.answer = paid.order;
    await open(paid, done);
    expect([...view.container.querySelectorAll("h2")].map(({ textContent }) => textContent)).toEqual([
      "Today",
      "20 November",
      "Find an order",
    ]);
    const rows = [...view.container.querySelectorAll<HTMLAnchorElement>(".w-orders__row")];
    expect(rows.map(({ textContent }) => textContent.replace(/\s/g, " "))).toEqual([
      "0.5 ETH14:00, fixed1 490 USDT1 of 3",
      "0.5 ETH09:00, fixed1 489.5 USDTCompleted",
    ]);
    expect(rows[0]?.getAttribute("href")).toBe(`/order/${ID}1?destinationAddress=0xto`);
  });

  it("names the networks of a coin that is exchanged for itself", async () => {
    const { instrumentTo } = done.order.pair;
    const instrumentFrom = { ...instrumentTo, networkFriendlyTitle: "Tron" };
    await open({ ...done, order: { ...done.order, pair: { instrumentFrom, instrumentTo } } });
    expect(text()).toContain("09:00, fixedTron → Ethereum");
  });

  it("asks for the unfinished ones alone, and shows their results", async () => {
    service.answer = { ...done.order, orderId: paid.order.orderId };
    await open(paid, done);
    await pass(0.1);
    expect(service.asked).toBe(1);
    expect(text()).not.toContain("1 of 3");
    expect(text().match(/Completed/g)).toHaveLength(2);
  });

  it("says while the service is away that rows are old, and how old", async () => {
    await open(paid, done);
    await pass(3);
    expect(text()).toContain("The list didn’t reload");
    expect(text()).toContain("seen 5 min ago");
    service.answer = paid.order;
    await press("Try again");
    expect(text()).not.toContain("didn't reload");
    expect(text()).not.toContain("seen 5 min ago");
  });

  it("says when the device doesn't let its saved orders be read", async () => {
    device.isDenied = true;
    await open();
    expect(text()).toContain("The list didn’t load");
    expect(text()).not.toContain("No orders on this device yet");
    device.isDenied = false;
    await press("Try again");
    expect(text()).toContain("No orders on this device yet");
  });

  it("forgets one after it has warned that an unfinished order opens only by its link", async () => {
    await open(paid, done);
    expect(() => button("Remove order PAID-0001 from this device")).toThrow();
    await press("Edit");
    await press("Remove order PAID-0001 from this device");
    expect(text()).toContain("opens only by its link");
    expect(button("Copy link")).toBeTruthy();
    await press("Remove");
    expect(text()).not.toContain("1 of 3");
    expect(text()).toContain("Completed");
    expect(device.stored).toMatchObject([{ order: { reference: "DONE-0002" } }]);
    await pass(3);
    expect(text()).toContain("Removed from this device");
  });

  it("forgets all, once asked twice", async () => {
    await open(paid, done);
    await press("Edit");
    await press("Remove all orders");
    expect(device.stored).toHaveLength(2);
    await press("Remove all");
    expect(device.stored).toEqual([]);
    expect(text()).toContain("No orders on this device yet");
  });
});

describe("the search for an order", () => {
  const link = `https://wherry.example/ru/order/${ID}?destinationAddress=0xab`;
  const input = (text: string) =>
    settled(() => {
      const field = view.get<HTMLInputElement>("#order-id");
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  const values = () => ["#order-id", "#order-address"].map((field) => view.get<HTMLInputElement>(field).value);

  it("takes both parts out of a pasted link", async () => {
    await open();
    await input(link);
    expect(values()).toEqual([ID, "0xab"]);
  });

  it("leaves a link alone while it is typed, and takes it apart when the field is left", async () => {
    await open();
    for (let length = 1; length <= link.length; length += 1) await input(link.slice(0, length));
    expect(values()).toEqual([link, ""]);
    await settled(() => view.get("#order-id").dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
    expect(values()).toEqual([ID, "0xab"]);
  });
});
