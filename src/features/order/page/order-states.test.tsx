import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { openOrder, type OrderScreen } from "../testing/order-screen.tsx";
import { deposit, sampleOrder } from "../testing/sample-order.ts";

const CREATED: OrderEventKind[] = ["CREATION_END"];
const DAY = 90_000;
const created = sampleOrder(CREATED);
const expired = sampleOrder(CREATED, { status: "expired" });

let screen: OrderScreen;
const open = async (...args: Parameters<typeof openOrder>) => void (screen = await openOrder(...args));

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(async () => {
  await screen.close();
  vi.restoreAllMocks();
});

const count = (path: string): number => screen.service.asked.filter((asked) => asked === path).length;

describe("an order that nobody paid in time", () => {
  it("stops looking, hides what was to be paid, and says so to screen readers", async () => {
    await open(created);
    screen.service.order = expired;
    await screen.pass(5.1);
    expect(screen.text()).toContain("This order has expired");
    expect(screen.text()).toContain("Don't send anything to its deposit address any more");
    expect(screen.text()).toContain("we send them back to your refund address");
    expect(screen.text()).not.toContain("Seen");
    expect(screen.box.innerHTML).not.toContain(expired.depositAddress);
    expect(screen.box.querySelector("[role=img], [role=timer]")).toBeNull();
    expect(await screen.announced()).toContain("This order has expired. Don't send to its deposit address any more");
    const looks = count("public-info");
    await screen.pass(60);
    expect(count("public-info")).toBe(looks);
  });

  it("can be created again with its pair, amount, mode and addresses", async () => {
    await open({ ...expired, destinationAddressMemo: "42" }, DAY);
    const again = [...screen.box.querySelectorAll("a")].find(({ textContent }) => textContent === "Create it again");
    expect(again?.getAttribute("href")).toBe("/exchange-eth-usdt-erc20?amount=0.5&mode=fixed");
    await screen.press("Create it again");
    expect(JSON.parse(sessionStorage.getItem("exchange-draft:v1") ?? "null")).toEqual({
      pair: "eth-usdt-erc20",
      texts: { destination: expired.destinationAddress, memo: "42", refund: expired.refundAddress, refundMemo: "" },
      ticks: { isMemoWaived: false, areTermsAccepted: false },
    });
  });

  it("says who settles late coins where it has no refund address, in Russian too", async () => {
    const floating: Partial<Order> = { rateMode: "FLOATING", expiresAt: null, refundAddress: null };
    await open({ ...expired, ...floating, deposits: [deposit("0.5", 3)] }, DAY, "ru");
    expect(screen.text()).toContain("Срок заявки истёк");
    expect(screen.text()).toContain("Сохраните номер заявки 7KQ4-M2XD");
    expect(screen.text()).toContain("Платёж замечен");
    expect(screen.text()).toContain("Создать заново");
  });
});
