import { Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Order } from "#contract/order.ts";
import { createLog } from "../../server/base/logging/log.ts";
import { BUY_STEPS, CardScenario, EMAIL } from "../support/card/card-scenario.ts";
import { callbackOf } from "../support/card/mercuryo-server.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { kindsOf, type TestEngine } from "../support/scenarios/test-engine.ts";

let database: TestDatabase;
let scenario: CardScenario;
let testEngine: TestEngine;
let order: Order;
let logged = "";

beforeAll(async () => {
  database = await freshDatabase();
  scenario = await new CardScenario(database).start();
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged += String(chunk);
      done();
    },
  });
  scenario.log = createLog({ level: "debug", destination: sink });
  testEngine = await scenario.engine();
});
afterAll(async () => {
  await scenario.stop();
  await database.drop();
});
beforeEach(async () => {
  order = await scenario.create(testEngine, scenario.body());
});

const kinds = async (): Promise<string[]> => kindsOf(await scenario.info(testEngine, order));
const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );
const take = (body: string, signature: string | null) => testEngine.engine.cardOrders?.takeCallback(body, signature);

const PAID = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const DONE = [...PAID, "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"];

describe("a callback", () => {
  it("that is forged is refused, and nothing changes", async () => {
    const transaction = Object.assign(scenario.transactionOf(order), BUY_STEPS[0]);
    const { body, signature } = callbackOf(transaction);
    const forged: readonly (readonly [string, string | null])[] = [
      [body, null],
      [body, ""],
      [body, "0".repeat(64)],
      [`${body} `, signature],
      [body.replace("100", "1000"), signature],
    ];
    for (const [text, given] of forged)
      expect(await refusalOf(Promise.resolve(take(text, given)))).toMatchObject({ code: "ERR_UNAUTHORIZED" });
    expect(await kinds()).toEqual(["CREATION_END"]);
    expect(
      await database.kysely.selectFrom("order_events").select("kind").where("kind", "<>", "CREATION_END").execute(),
    ).toEqual([]);
  });

  it("of an order that nobody opened is not found", async () => {
    const { body, signature } = callbackOf({ ...scenario.transactionOf(order), merchantId: `${"0".repeat(32)}-1` });
    expect(await refusalOf(Promise.resolve(take(body, signature)))).toMatchObject({ code: "ERR_NOT_FOUND" });
  });

  it("is taken once: repetitions change nothing", async () => {
    const transaction = Object.assign(scenario.transactionOf(order), BUY_STEPS[0]);
    for (let times = 0; times < 3; times += 1) await scenario.callBack(testEngine, transaction);
    await Promise.all([1, 2, 3].map(() => scenario.callBack(testEngine, transaction)));
    expect(await kinds()).toEqual(PAID);
  });

  it("that comes out of order or late brings no state back", async () => {
    const transaction = scenario.transactionOf(order);
    for (const step of [...BUY_STEPS].reverse()) await scenario.callBack(testEngine, Object.assign(transaction, step));
    expect(await kinds()).toEqual(DONE);
    const { withdrawals, card, redirectUrl } = await scenario.info(testEngine, order);
    expect([withdrawals, card?.state, redirectUrl]).toEqual([
      [{ amount: "0.96", txId: "tx of the provider", confirmations: 1, kind: "payout" }],
      "done",
      null,
    ]);
  });

  it("that was lost is found by a status call", async () => {
    const transaction = scenario.transactionOf(order);
    Object.assign(transaction, BUY_STEPS[0]);
    await scenario.ask(testEngine);
    expect(await kinds()).toEqual(PAID);
    Object.assign(transaction, BUY_STEPS[2]);
    await scenario.ask(testEngine);
    expect(await kinds()).toEqual(DONE);
  });

  it("of a declined card ends the order as declined, not as cancelled", async () => {
    const transaction = Object.assign(scenario.transactionOf(order), { type: "buy", status: "order_failed" });
    await scenario.callBack(testEngine, transaction);
    const { status, card, redirectUrl } = await scenario.info(testEngine, order);
    expect([status, card?.state, redirectUrl]).toEqual(["expired", "failed", null]);
  });

  it("in another currency is refused, and less than was quoted is shown", async () => {
    const transaction = Object.assign(scenario.transactionOf(order), BUY_STEPS[2]);
    for (const changes of [{ currency: "BTC" }, { fiat_currency: "EUR" }])
      expect(await refusalOf(scenario.callBack(testEngine, transaction, changes))).toMatchObject({
        code: "ERR_UNPROCESSABLE_ENTITY",
      });
    expect(await kinds()).toEqual(["CREATION_END"]);
    await scenario.callBack(testEngine, transaction, { amount: "0.5" });
    const shown = await scenario.info(testEngine, order);
    expect([shown.amountToGet, shown.review]).toMatchObject(["0.5", { reason: "PAYMENT_CHECK", needed: "PROVIDER" }]);
  });
});

describe("a provider that answers", () => {
  it.each(["500", "garbage", "401", "lost-reply"] as const)(
    "asking with %s changes nothing, and the call is repeated",
    async (fault) => {
      // One for each order that is asked about.
      scenario.server.faults.push(...Array.from({ length: 30 }, () => ({ path: /widget\/transactions/, fault })));
      Object.assign(scenario.transactionOf(order), BUY_STEPS[0]);
      await scenario.ask(testEngine);
      expect(await kinds()).toEqual(["CREATION_END"]);
      scenario.server.faults.length = 0;
      await scenario.ask(testEngine);
      expect(await kinds()).toEqual(PAID);
    },
  );

  it.each(["500", "garbage", "lost-reply"] as const)("an opening with %s leaves one order to pay", async (fault) => {
    const seed = `opening with ${fault}`;
    scenario.server.faults.push({ path: /POST b2b\/oor\/buy/, fault });
    const first = scenario.create(testEngine, scenario.body(), { seed, isFirst: true });
    expect(await refusalOf(first)).toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
    const again = await scenario.create(testEngine, scenario.body(), { seed, isFirst: false });
    const twice = await scenario.create(testEngine, scenario.body(), { seed, isFirst: false });
    expect(twice.orderId).toBe(again.orderId);
    // What the lost answer opened was never shown: its news are of no order.
    const [orphan] = scenario.server.transactions.slice(-2);
    if (fault !== "500" && orphan !== undefined)
      expect(await refusalOf(scenario.callBack(testEngine, Object.assign(orphan, BUY_STEPS[0])))).toMatchObject({
        code: "ERR_NOT_FOUND",
      });
    expect(kindsOf(await scenario.info(testEngine, again))).toEqual(["CREATION_END"]);
  });
});

it("leaves no token in a log, an error or a row", async () => {
  scenario.server.faults.push({ path: /b2b\/user\/sign-in/, fault: "garbage" });
  await refusalOf(scenario.create(testEngine, scenario.body()));
  const token = scenario.server.users.get(EMAIL)?.token ?? "";
  expect(token).not.toBe("");
  const rows = JSON.stringify(await database.kysely.selectFrom("orders").select("snapshot").execute());
  for (const secret of [token, "partner token"])
    expect([logged.includes(secret), rows.includes(secret)]).toEqual([false, false]);
});
