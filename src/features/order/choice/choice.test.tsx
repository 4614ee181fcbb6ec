import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { at, deposit, ms, sampleOrder } from "../testing/sample-order.ts";
import { prefetchParts } from "../page/order-parts.ts";
import { OrderPageAt } from "../testing/order-page-at.tsx";
import { notifications } from "../../../shared/page/notifications.ts";

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const LATE: OrderEventKind[] = [...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"];
const offer = { price: "2940.664", amountToGet: "1470.332", at: at(4), validUntil: at(604) };
const newer = { price: "2800", amountToGet: "1400", at: at(90), validUntil: at(690) };
const deposits = [deposit("0.5", 1)];
const open = sampleOrder(LATE, { deposits, offer });
const moved = sampleOrder(LATE, { deposits, offer: newer });
const accepted = sampleOrder([...LATE, "RATE_MODE_CHANGE_ACCEPTED"], { deposits });
const asked = sampleOrder([...LATE, "REFUND_REQUESTED"], { deposits });
const floating = sampleOrder(PAID, { deposits, rateMode: "FLOATING", expiresAt: null, refundAddress: null });
const figures = { refundAmountWithoutNetworkFee: "0.4999", networkFee: "0.0001" };
const dearer = { refundAmountWithoutNetworkFee: "0.48", networkFee: "0.02" };

type Answer = { status: number; body: unknown } | "lost" | "never";
type Sent = { path: string; key: string | null; body: Record<string, unknown> };

/** The service: each path gives the answer that the test sets, once or always, or loses it. */
const service = {
  order: open,
  refund: figures,
  answers: [] as Answer[],
  sent: [] as Sent[],
};

const ok = (body: unknown): Answer => ({ status: 200, body });
const refused = (data?: object): Answer => ({
  status: 422,
  body: { status: "ERR_UNPROCESSABLE_ENTITY", message: "no", data, traceId: "t" },
});

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/public-info")) return Response.json(service.order);
  if (pathname.endsWith("/order-refund-info")) return Response.json(service.refund);
  if (pathname.endsWith("/validate-address")) return Response.json({ result: true, code: null });
  const key = request.headers.get("idempotency-key");
  service.sent.push({ path: pathname.split("/").at(-1) ?? "", key, body: await request.json() });
  const next = service.answers.shift() ?? "lost";
  if (next === "never") return new Promise<never>(() => undefined);
  if (next === "lost") throw new TypeError("Failed to fetch");
  return Response.json(next.body, { status: next.status });
}

const i18n = createI18n("en", allMessages("en"));
let root: Root;
let box: HTMLElement;

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
const text = (): string => box.textContent.replaceAll("\u00A0", " ").replaceAll("\u202F", " ");

async function show(order: Order): Promise<void> {
  service.order = order;
  await act(async () => root.render(<OrderPageAt i18n={i18n} order={order} />));
  await pass(0.1);
}

const radio = (value: string): HTMLInputElement => {
  const found = box.querySelector<HTMLInputElement>(`input[value=${value}]`);
  if (found === null) throw new Error(`no radio ${value}`);
  return found;
};
const choose = (value: string) => act(async () => radio(value).click());
const button = (name: RegExp): HTMLButtonElement => {
  const found = [...box.querySelectorAll("button")].find(({ textContent }) =>
    name.test(textContent.replaceAll("\u00A0", " ").replaceAll("\u202F", " ")),
  );
  if (found === undefined) throw new Error(`no button ${name} in ${text()}`);
  return found;
};
async function press(name: RegExp): Promise<void> {
  await act(async () => button(name).click());
  await pass(0.1);
}
const notices = (): string[] => notifications.queue.map(({ message }) => message);
const struck = (): string[] => [...box.querySelectorAll(".w-order-choice del")].map((del) => del.textContent);

beforeEach(async () => {
  await Promise.all([
    import("../../../shared/http/http-client.ts"),
    import("../store.ts"),
    import("../refund/refund-dialog.tsx"),
  ]);
  prefetchParts(i18n);
  await vi.dynamicImportSettled();
  vi.useFakeTimers({ now: ms(60) });
  vi.stubGlobal("fetch", vi.fn(answer));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
  sessionStorage.clear();
  notifications.queue = [];
  Object.assign(service, { order: open, refund: figures, answers: [], sent: [] });
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
});

afterEach(async () => {
  await act(async () => root.unmount());
  box.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a choice that is open", () => {
  it("has neither way chosen and a button that does nothing", async () => {
    await show(open);
    expect([radio("accept").checked, radio("refund").checked]).toEqual([false, false]);
    expect(button(/^Choose one to continue$/).disabled).toBe(true);
    expect(text()).not.toContain("You get at least this amount");
    expect(text()).toContain("0.4999 ETH");
    expect(text()).toContain("1.32% lower, 19.668 USDT less for 0.5 ETH");
  });

  it("names the sum on its button, and two presses in one moment act once", async () => {
    await show(open);
    await choose("accept");
    service.answers = [ok(accepted), ok(accepted)];
    const accept = button(/^Accept 1 470\.332 USDT$/);
    await act(async () => {
      accept.click();
      accept.click();
    });
    await pass(0.1);
    expect(service.sent).toHaveLength(1);
    expect(text()).toContain("You accepted");
  });

  it("sends the same key until an answer is certain", async () => {
    await show(open);
    await choose("accept");
    service.answers = [
      "lost",
      { status: 500, body: { status: "ERR_INTERNAL_SERVER_ERROR", message: "", traceId: "t" } },
    ];
    await press(/^Accept/);
    expect(text()).toContain("We couldn’t confirm that");
    await press(/^Accept/);
    service.answers = [refused(), refused()];
    await press(/^Accept/);
    expect(text()).toContain("This isn’t possible for the order as it is now");
    await press(/^Accept/);
    const keys = service.sent.map(({ key }) => key);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it("waits ten seconds for an answer and can then be pressed again", async () => {
    await show(open);
    await choose("accept");
    service.answers = ["never", ok(accepted)];
    await press(/^Accept/);
    await pass(9.5);
    expect(text()).not.toContain("We couldn’t confirm that");
    await pass(1);
    expect(text()).toContain("We couldn’t confirm that");
    await press(/^Accept/);
    expect(text()).toContain("You accepted");
    expect(service.sent[1]?.key).toBe(service.sent[0]?.key);
  });

  it("shows a new offer beside the old one and asks again", async () => {
    await show(open);
    await choose("accept");
    service.answers = [ok(moved)];
    await press(/^Accept/);
    expect(struck().join()).toContain("470.332");
    expect(radio("accept").checked).toBe(false);
    expect(text()).toContain("An amount has changed. Choose again.");
    await choose("accept");
    expect(button(/^Accept 1 400 USDT$/).disabled).toBe(false);
  });

  it("accepts nothing when the offer on record is another than the one on the screen", async () => {
    await show(open);
    await choose("accept");
    service.order = moved;
    await press(/^Accept/);
    expect(service.sent).toEqual([]);
    expect(text()).toContain("1 400 USDT");
    expect(radio("accept").checked).toBe(false);
  });

  it("asks for a refund with what it showed, to the address that was set at creation", async () => {
    await show(open);
    await choose("refund");
    expect(box.querySelector("#refund-address")).toBeNull();
    service.answers = [ok(asked)];
    await press(/^Refund 0\.4999 ETH$/);
    expect(service.sent[0]).toMatchObject({
      path: "request-refund",
      body: { refundAddress: open.refundAddress, refundAmount: "0.4999", claimedNetworkFee: "0.0001" },
    });
    expect(text()).toContain("Refund requested");
    expect(text()).toContain("Your deposit goes back once it is confirmed");
  });

  it("shows a refund that has changed, with the old sum struck out, and asks again", async () => {
    await show(open);
    await choose("refund");
    service.answers = [refused(dearer), ok(asked)];
    await press(/^Refund/);
    expect(text()).toContain("The refund amount has changed");
    expect(struck().join()).toContain("0.4999");
    expect(radio("refund").checked).toBe(false);
    await choose("refund");
    await press(/^Refund 0\.48 ETH$/);
    expect(service.sent[1]?.body).toMatchObject({ refundAmount: "0.48", claimedNetworkFee: "0.02" });
    expect(service.sent[1]?.key).not.toBe(service.sent[0]?.key);
  });

  it("says that an acceptance came after a refund, also when nothing was sent", async () => {
    await show(open);
    await choose("accept");
    service.order = asked;
    await press(/^Accept/);
    expect(service.sent).toEqual([]);
    expect(text()).toContain("Refund requested");
    expect(notices()).toEqual([expect.stringMatching(/^That wasn’t done: another answer to this order came first/)]);
  });

  it("says that a refund came after one to another address, and nothing after one to its own", async () => {
    for (const [refundAddress, count] of [
      [open.destinationAddress, 1],
      [open.refundAddress, 0],
    ] as const) {
      notifications.queue = [];
      await show(open);
      await choose("refund");
      service.order = { ...asked, refundAddress };
      service.answers = [refused()];
      await press(/^Refund/);
      expect(text()).toContain("Refund requested");
      expect(notices()).toHaveLength(count);
      await act(async () => root.unmount());
      root = createRoot(box);
    }
  });

  it("offers a refund or a top-up where no new rate takes the sum", async () => {
    await show(sampleOrder(LATE, { deposits, offer: null }));
    expect(text()).toContain("The new rate can’t be used for this amount");
    expect(box.querySelector("input[value=accept]")).toBeNull();
    expect(radio("refund").checked).toBe(false);
  });
});

describe("a refund while the deposit is confirmed", () => {
  const type = async (typed: string, id = "refund-address") => {
    const field = box.querySelector<HTMLInputElement>(`#${id}`);
    if (field === null) throw new Error(`no field ${id}`);
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, typed);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await pass(0.5);
  };

  it("says that the payout had begun before it was asked for", async () => {
    await show({ ...floating, refundAddress: open.refundAddress });
    await press(/^Get a refund instead$/);
    service.order = sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START"], {
      deposits,
      rateMode: "FLOATING",
      expiresAt: null,
    });
    service.answers = [refused()];
    await press(/^Refund/);
    expect(notices()).toEqual(["The refund wasn’t requested: the payout had already begun."]);
  });

  it("asks where to first, and sends only when asked a second time", async () => {
    await show(floating);
    await press(/^Get a refund instead$/);
    await press(/^Refund 0\.4999 ETH$/);
    expect(text()).toContain("Enter the address for your refund");
    await type(floating.destinationAddress.toLowerCase());
    expect(text()).toContain("must differ from the receiving one");
    await press(/^Refund/);
    expect(service.sent).toEqual([]);
    await type(" 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC ");
    expect(text()).toContain("Checked: a valid ETH address");
    service.answers = [ok(sampleOrder([...PAID, "REFUND_REQUESTED"], { ...floating, status: "REFUND_REQUESTED" }))];
    await press(/^Refund/);
    expect(service.sent[0]?.body).toMatchObject({ refundAddress: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC" });
  });

  it("puts a refusal of the address at its field, until it is typed anew", async () => {
    await show(floating);
    await press(/^Get a refund instead$/);
    await type("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
    const body = {
      status: "ERR_VALIDATION",
      message: "",
      data: { refundAddress: "error_address_incorrect" },
      traceId: "t",
    };
    service.answers = [{ status: 400, body }];
    await press(/^Refund/);
    expect(text()).toContain("This is not a valid ETH address");
    await type("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BD");
    expect(text()).not.toContain("This is not a valid ETH address");
  });

  it("says of an address that nobody can be paid at that it is not the writing that is wrong", async () => {
    await show(floating);
    await press(/^Get a refund instead$/);
    await type("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");
    const data = { refundAddress: "error_address_unpayable" };
    service.answers = [{ status: 400, body: { status: "ERR_VALIDATION", message: "", data, traceId: "t" } }];
    await press(/^Refund/);
    expect(text()).toContain("We can’t send ETH to this address");
    expect(text()).not.toContain("not a valid");
  });

  it("takes its address and memo from a pasted payment link, and offers to scan one", async () => {
    const xrp = { ...floating.pair.instrumentFrom, currencyTitle: "XRP", networkTitle: "XRP", requiresMemo: true };
    await show({ ...floating, pair: { ...floating.pair, instrumentFrom: xrp } });
    await press(/^Get a refund instead$/);
    vi.spyOn(navigator.clipboard, "readText").mockResolvedValue("ripple:rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe?dt=77");
    await press(/^Paste$/);
    await pass(0.5);
    const valueOf = (id: string) => box.querySelector<HTMLInputElement>(`#${id}`)?.value;
    expect(valueOf("refund-address")).toBe("rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe");
    expect(valueOf("refund-memo")).toBe("77");
    expect(text()).toContain("Checked: a valid XRP address");
    vi.spyOn(navigator.clipboard, "readText").mockResolvedValue("r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59");
    await press(/^Paste$/);
    await pass(0.5);
    expect([valueOf("refund-address"), valueOf("refund-memo")]).toEqual(["r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59", ""]);
    expect(text()).toContain("The destination tag was removed");
    expect(button(/^Scan QR$/).disabled).toBe(false);
  });

  it("refuses what is no destination tag while it is typed, and asks for nothing", async () => {
    const xrp = { ...floating.pair.instrumentFrom, currencyTitle: "XRP", networkTitle: "XRP", requiresMemo: true };
    await show({ ...floating, pair: { ...floating.pair, instrumentFrom: xrp } });
    await press(/^Get a refund instead$/);
    await type("rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe");
    await type("12\u0430 b3", "refund-memo");
    const memo = () => box.querySelector<HTMLInputElement>("#refund-memo");
    expect([memo()?.value, memo()?.inputMode]).toEqual(["12\u0430b3", "numeric"]);
    expect(text()).toContain("This is not a destination tag");
    await press(/^Refund/);
    expect(service.sent).toEqual([]);
    expect(document.activeElement).toBe(memo());
    await type(" 123 456 ", "refund-memo");
    expect(memo()?.value).toBe("123456");
    expect(text()).not.toContain("This is not a destination tag");
  });

  it("is open again on a page that was loaded anew to scan its address", async () => {
    const { orderId } = floating;
    history.replaceState(null, "", `/order/${orderId}`);
    sessionStorage.setItem("wherry-scan", `${Date.now()} refund-address ${location.pathname}`);
    await show(floating);
    await pass(0.5);
    expect(box.querySelector("#refund-address")).not.toBeNull();
  });

  it("is not offered once the payout has begun", async () => {
    await show(sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START"], { deposits }));
    expect(() => button(/^Get a refund instead$/)).toThrow();
  });
});
