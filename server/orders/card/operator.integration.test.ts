import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Order } from "#contract/order.ts";
import { BUY_STEPS, CardScenario } from "../../../tests/support/card/card-scenario.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { kindsOf, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { OperatorError } from "../../admin/audit.ts";
import { runCardCommand } from "./operator.ts";
import { listHeld } from "../../treasury/operator/held.ts";

let database: TestDatabase;
let scenario: CardScenario;
let testEngine: TestEngine;
let order: Order;

beforeAll(async () => {
  database = await freshDatabase();
  scenario = await new CardScenario(database).start();
  testEngine = await scenario.engine();
});
afterAll(async () => {
  await scenario.stop();
  await database.drop();
});
beforeEach(async () => {
  order = await scenario.create(testEngine, scenario.body());
});

const say = (text: string) => runCardCommand(database, text.replace("ORDER", order.reference).split(" "));
const shown = () => scenario.info(testEngine, order);
const held = async () => (await listHeld(database)).filter(({ subject }) => subject === `card ${order.reference}`);
const audit = () =>
  database.kysely
    .selectFrom("operator_actions")
    .select(["operator", "action", "reason"])
    .where("subject", "=", `card ${order.reference}`)
    .orderBy("id")
    .execute();

/** The order was paid, and failed at the provider with the money there. */
async function fail(): Promise<void> {
  const transaction = Object.assign(scenario.transactionOf(order), BUY_STEPS[0]);
  await scenario.callBack(testEngine, transaction);
  await scenario.callBack(testEngine, Object.assign(transaction, { type: "buy", status: "order_failed" }));
}

/** It was paid after its provider had cancelled it. */
async function payLate(): Promise<void> {
  const transaction = Object.assign(scenario.transactionOf(order), { type: "buy", status: "cancelled" });
  await scenario.callBack(testEngine, transaction);
  await scenario.callBack(testEngine, Object.assign(transaction, BUY_STEPS[0]));
}

describe("an order by card in review", () => {
  it("stays in review, with its provider and its number there, until its provider ends it", async () => {
    await fail();
    expect((await shown()).review).toMatchObject({ reason: "PAYMENT_CHECK", needed: "PROVIDER" });
    expect(await held()).toMatchObject([
      {
        reason: "card_failed",
        details: [{ text: `at mercuryo as ${order.card?.reference}` }, { text: `order ${order.orderId}` }],
      },
    ]);
    await scenario.callBack(
      testEngine,
      Object.assign(scenario.transactionOf(order), { type: "withdraw", status: "failed" }),
    );
    expect([(await shown()).status, await held()]).toEqual(["REFUND_COMPLETED", []]);
  });

  it.each([
    ["done", "WITHDRAWAL_COMPLETED"],
    ["refunded", "REFUND_COMPLETED"],
  ])("ends as %s once one operator has proposed it and another confirmed it", async (end, status) => {
    await fail();
    await say(`card ${end} ORDER their support said so --as ann`);
    await testEngine.engine.runCardOrders();
    expect((await shown()).status).toBe("INCOMING_FUNDS_DETECTED");
    await expect(say("card confirm ORDER mine --as Ann")).rejects.toThrow("somebody else has to confirm it");
    await say("card confirm ORDER saw the mail --as bob");
    await expect(say("card confirm ORDER again --as cay")).rejects.toThrow("decided already");
    await testEngine.engine.runCardOrders();
    expect(await shown()).toMatchObject({ status, review: null });
    expect(await held()).toEqual([]);
    expect(await audit()).toEqual([
      { operator: "ann", action: `card ${end}`, reason: "their support said so" },
      { operator: "bob", action: "card confirm", reason: "saw the mail" },
    ]);
    // What the provider says later changes nothing, and nobody is asked again.
    await scenario.ask(testEngine);
    expect((await shown()).status).toBe(status);
  });

  it("is closed by one operator where it has ended, and stays as it is", async () => {
    await payLate();
    const kinds = kindsOf(await shown());
    expect((await shown()).review).toMatchObject({ reason: "LATE_DEPOSIT" });
    await expect(say("card done ORDER it was sent --as ann")).rejects.toThrow('"card close" ends its review');
    await say("card close ORDER they returned the money --as ann");
    await testEngine.engine.runCardOrders();
    const after = await shown();
    expect([after.review, after.status, kindsOf(after), await held()]).toEqual([null, "expired", kinds, []]);
    expect(await audit()).toEqual([{ operator: "ann", action: "card close", reason: "they returned the money" }]);
  });

  it("is not closed while the money is at the provider", async () => {
    await fail();
    await expect(say("card close ORDER enough --as ann")).rejects.toThrow("say how it ended");
    await expect(say("card confirm ORDER enough --as ann")).rejects.toThrow("Nobody proposed");
    expect(await audit()).toEqual([]);
  });

  it("alone can be decided, by whoever says who and why", async () => {
    await expect(say("card close ORDER because --as ann")).rejects.toThrow("is in review");
    await fail();
    await expect(say("card done ORDER --as ann")).rejects.toThrow("Give a reason");
    await expect(say("card done ORDER because")).rejects.toThrow("Say who you are");
    await expect(say("card paid ORDER because --as ann")).rejects.toThrow(OperatorError);
    expect(await say("payout retry 1 x --as ann")).toBeNull();
  });

  it("is confirmed by another name in its row too", async () => {
    await fail();
    const both = { operator_end: "done" as const, operator_end_by: "ann", operator_end_confirmed_by: "Ann" };
    await expect(
      database.kysely.updateTable("card_orders").set(both).where("order_id", "=", order.orderId).execute(),
    ).rejects.toThrow("check constraint");
  });
});
