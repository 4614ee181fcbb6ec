import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { anOrder, closedOrderService, testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { shareAnswer } from "../base/shared-answer.ts";
import { createOrderViews } from "../orders/views/order-views.ts";

const QUERY = { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: "1" };

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

describe("an answer that is the same for everyone", () => {
  let app: TestApp;
  let version = 0;
  beforeEach(async () => {
    version = 0;
    app = await testApp(database, { versions: { rate: () => version } });
  });
  afterEach(() => app.close());
  const rate = (headers: Record<string, string> = {}) => app.inject({ url: calls.rate.path, query: QUERY, headers });

  it("has the same bytes and headers the second time, and is made again for a new version", async () => {
    const [first, second] = [await rate(), await rate()];
    expect([second.statusCode, second.body]).toEqual([200, first.body]);
    expect(Object.keys(second.headers).toSorted()).toEqual(Object.keys(first.headers).toSorted());
    expect(second.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    app.market.now = new Date(app.market.now.getTime() + 1_000);
    app.market.publish();
    expect((await rate()).body, "made once per version").toBe(first.body);
    version += 1;
    expect((await rate()).body).not.toBe(first.body);
  });

  it("goes to callers without a token and to those with a valid one", async () => {
    await rate();
    expect((await rate({ authorization: "Bearer wrong" })).statusCode).not.toBe(200);
  });

  it("is never a failure: each failure is made for its own call", async () => {
    const small = () => app.inject({ url: calls.rate.path, query: { ...QUERY, claimedDepositAmount: "0.0000001" } });
    const [first, second] = [await small(), await small()];
    expect([first.statusCode, second.statusCode]).toEqual([422, 422]);
    expect(first.json<{ traceId: string }>().traceId).not.toBe(second.json<{ traceId: string }>().traceId);
  });
});

describe("an order that is shown more than once", () => {
  it("is written once, as its schema has it", async () => {
    const order = { ...anOrder(), secret: "of no schema" };
    const info = async () => shareAnswer(order);
    await using app = await testApp(database, { orderService: closedOrderService({ info }) });
    const query = { orderId: order.orderId, destinationAddress: order.destinationAddress };
    const ask = () => app.inject({ url: calls.orderInfo.path, query });
    const first = await ask();
    expect([first.statusCode, first.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(first.json()).toEqual(anOrder());
    expect((await ask()).body).toBe(first.body);
  });

  it("is read once until the order changes, and is not shown to a caller with another address", async () => {
    const views = createOrderViews({ now: () => 0 });
    const order = anOrder();
    const asked: string[] = [];
    const info = async (_orderId: string, destinationAddress: string) => {
      asked.push(destinationAddress);
      if (destinationAddress !== order.destinationAddress)
        throw new CodedError("ERR_NOT_FOUND_E", "There is no such order");
      return order;
    };
    await using app = await testApp(database, {
      orderService: closedOrderService({ info }),
      versions: { orderInfo: views.version },
    });
    const ask = async (destinationAddress: string) => {
      const query = { orderId: order.orderId, destinationAddress };
      return (await app.inject({ url: calls.orderInfo.path, query })).statusCode;
    };
    expect([await ask("0xdestination"), await ask("0xdestination"), await ask("0xother")]).toEqual([200, 200, 404]);
    expect(asked).toEqual(["0xdestination", "0xother"]);
    views.clear();
    expect(await ask("0xdestination")).toBe(200);
    expect(asked).toEqual(["0xdestination", "0xother", "0xdestination"]);
  });
});
