import { afterEach, describe, expect, it, vi } from "vitest";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { savedOrders } from "./store.ts";
import { loadOrder } from "./load.ts";
import { at, sampleOrder } from "./testing/sample-order.ts";

const ORDER = sampleOrder(["CREATION_END"]);
const ADDRESS = ORDER.destinationAddress;
const asked = { orderId: ORDER.orderId, destinationAddress: ADDRESS };

/** An API that knows one order, or fails as the test says. */
function api(failure?: Error): Api & { asked: unknown[] } {
  const calls: unknown[] = [];
  return {
    asked: calls,
    call: async (name: string, input?: unknown) => {
      calls.push([name, input]);
      if (failure !== undefined) throw failure;
      return ORDER as never;
    },
  };
}

const load = (id: string, query: Record<string, string>, using = api()) =>
  loadOrder({ params: { id }, query: new URLSearchParams(query), api: using });

const coded = (code: "ERR_NOT_FOUND_E" | "ERR_VALIDATION" | "ERR_SERVICE_UNAVAILABLE") =>
  new CallError({ kind: "coded", code, message: "no" });

afterEach(() => void vi.restoreAllMocks());

describe("loading an order's page", () => {
  it("asks with the id and the trimmed address", async () => {
    const using = api();
    const loaded = await load(ORDER.orderId, { destinationAddress: ` ${ADDRESS} ` }, using);
    expect(loaded).toEqual({ kind: "page", data: { ...asked, kind: "found", order: ORDER, savedAt: null } });
    expect(using.asked).toEqual([["orderInfo", { query: asked }]]);
  });

  it.each<Record<string, string>>([{}, { destinationAddress: "" }, { destinationAddress: "  " }, { address: ADDRESS }])(
    "is the look-up page, 404, without an address (%j), and asks nobody",
    async (query) => {
      const using = api();
      expect(await load(ORDER.orderId, query, using)).toMatchObject({
        kind: "page",
        status: 404,
        data: { kind: "lookup", reason: "missing", orderId: ORDER.orderId },
      });
      expect(using.asked).toEqual([]);
    },
  );

  it.each(["ERR_NOT_FOUND_E", "ERR_VALIDATION"] as const)(
    "is the look-up page, 404, after %s, with what was asked",
    async (code) => {
      expect(await load(ORDER.orderId, { destinationAddress: ADDRESS }, api(coded(code)))).toMatchObject({
        status: 404,
        data: { ...asked, kind: "lookup", reason: "mismatch" },
      });
    },
  );

  it("throws what it can't answer for", async () => {
    const failure = coded("ERR_SERVICE_UNAVAILABLE");
    await expect(load(ORDER.orderId, { destinationAddress: ADDRESS }, api(failure))).rejects.toBe(failure);
  });

  it("knows the order that is not created yet, with or without an address", async () => {
    const using = api();
    expect(await load("pending", {}, using)).toMatchObject({ kind: "page", data: { kind: "pending" } });
    expect((await load("pending", { destinationAddress: "x" }, using)).kind).toBe("page");
    expect(using.asked).toEqual([]);
  });
});

describe("loading an order's page without the network", () => {
  const offline = new CallError({ kind: "network", message: "not reached" });

  it("returns what this device saved, with its time, and for the right address alone", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    expect(await load(ORDER.orderId, { destinationAddress: ADDRESS }, api(offline))).toEqual({
      kind: "page",
      data: { ...asked, kind: "unreachable" },
    });
    await savedOrders.save({ order: ORDER, destinationAddress: ADDRESS, seenAt: at(7) });
    expect(await load(ORDER.orderId, { destinationAddress: ADDRESS }, api(offline))).toEqual({
      kind: "page",
      data: { ...asked, kind: "found", order: ORDER, savedAt: at(7) },
    });
    expect(await load(ORDER.orderId, { destinationAddress: "0xother" }, api(offline))).toMatchObject({
      data: { kind: "unreachable" },
    });
  });
});
