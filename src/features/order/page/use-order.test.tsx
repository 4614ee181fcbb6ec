import { act, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import * as http from "../../../shared/http/http.ts";
import { type LiveOrder, useOrder } from "./use-order.ts";
import type { OrderPageData } from "../load.ts";
import { at, sampleOrder } from "../testing/sample-order.ts";

vi.mock("../../../shared/http/http.ts", () => ({ call: vi.fn() }));
vi.mock("../../../shared/page/page-context.ts", () => ({ usePageNow: () => "2026-11-21T14:01:00.000Z" }));

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const created = sampleOrder(["CREATION_END"]);
const paid = sampleOrder(PAID);
const completed = sampleOrder([...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"]);
const ids = { orderId: created.orderId, destinationAddress: created.destinationAddress };
const notFound = new CallError({ kind: "coded", code: "ERR_NOT_FOUND_E", message: "no" });
const unreachable = new CallError({ kind: "network", message: "not reached" });

let answer: Order | Error;
let root: Root;
let live: LiveOrder;
const requests = () => vi.mocked(http.call).mock.calls.length;

function Probe({ data }: { readonly data: OrderPageData }) {
  const order = useOrder(data, 0);
  useEffect(() => {
    live = order;
  });
  return null;
}

const found = (order: Order, savedAt: string | null = null): OrderPageData => ({
  ...ids,
  kind: "found",
  order,
  savedAt,
});

async function open(data: OrderPageData): Promise<void> {
  root = createRoot(document.createElement("div"));
  const provider = () => new Map();
  await act(async () =>
    root.render(
      <SWRConfig value={{ provider }}>
        <Probe data={data} />
      </SWRConfig>,
    ),
  );
}

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  answer = created;
  vi.mocked(http.call).mockImplementation(async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.mocked(http.call).mockReset();
});

describe("polling an order (spec §4)", () => {
  it.each<[string, OrderPageData, number]>([
    ["that was just loaded", found(created), 0],
    ["that is saved on the device", found(created, at(0)), 1],
    ["that is saved on the device and completed", found(completed, at(0)), 1],
    ["that is not there yet", { ...ids, kind: "unreachable" }, 1],
    ["that was just loaded and is completed", found(completed), 0],
  ])("%s is requested at the start as needed", async (_case, data, expected) => {
    await open(data);
    await pass(4.5);
    expect(requests()).toBe(expected);
  });

  it("requests it every 5 s until it is completed", async () => {
    await open(found(created));
    await pass(5.1);
    expect(requests()).toBe(1);
    answer = paid;
    await pass(5.1);
    expect(live.seen?.order).toEqual(paid);
    answer = completed;
    await pass(5.1);
    expect(live.seen?.order).toEqual(completed);
    const before = requests();
    await pass(60);
    expect(requests()).toBe(before);
  });

  it("ends when the address is judged incorrect", async () => {
    await open(found(created));
    answer = notFound;
    await pass(5.1);
    expect(live.isAddressIncorrect).toBe(true);
    const before = requests();
    await pass(60);
    expect(requests()).toBe(before);
  });

  it("goes on while the service is not reached, and says so", async () => {
    await open(found(created));
    answer = unreachable;
    await pass(5.1);
    expect(live).toMatchObject({ isFailing: true, seen: { order: created } });
    answer = paid;
    await pass(5.1);
    expect(live).toMatchObject({ isFailing: false, seen: { order: paid } });
  });

  it("rests while the page is hidden, and requests at once when it is visible again", async () => {
    await open(found(created));
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    await pass(30);
    expect(requests()).toBe(0);
    visibility.mockReturnValue("visible");
    await act(async () => void document.dispatchEvent(new Event("visibilitychange")));
    await pass(0.1);
    expect(requests()).toBe(1);
  });

  it("shows an order that came with another answer, and refreshes on demand", async () => {
    await open(found(completed));
    await act(async () => live.show(paid));
    expect(live.seen?.order).toEqual(paid);
    answer = completed;
    await act(() => live.refresh());
    expect(live.seen?.order).toEqual(completed);
  });
});
