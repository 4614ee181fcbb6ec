import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { PartnerScenario } from "../../tests/support/partners/partner-scenario.ts";
import type { TestEngine } from "../../tests/support/scenarios/test-engine.ts";
import type { Database } from "../db/database.ts";
import { runExchangeCommand } from "./operator.ts";

const TOKEN = "usdt-erc20";
/** About what was expected. */
const USUAL = 1_494_000_000n;

vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let own: Database;
let scenario: PartnerScenario;
let engine: TestEngine;

/** An order whose partner was paid and has delivered nothing. */
beforeEach(async () => {
  database = await freshDatabase();
  scenario = await new PartnerScenario(database).start();
  scenario.partners.changenow.behaviour = "stalls";
});
afterEach(async () => {
  await own.close();
  await scenario.stop();
  await database.drop();
});

const begin = async () => {
  await scenario.begin();
  const process = scenario.process();
  own = process.database;
  engine = await process.testEngine;
  await scenario.pass(engine, own, 10);
};
const report = async (txId: string, delivered = "1494") => {
  for (const held of scenario.changeNow.exchanges)
    Object.assign(held, { status: "finished", payoutHash: txId, delivered });
  await scenario.pass(engine, own, 4);
};
const pay = (amount: bigint, to = scenario.destination) => scenario.chain.deposit(to, TOKEN, amount);
const exchange = () =>
  database.kysely
    .selectFrom("partner_exchanges")
    .select(["id", "state", "reason", "delivered"])
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
const status = async () => (await engine.engine.orderService.info(scenario.orderId, scenario.destination)).status;
const expectReview = async (reason: string) => {
  expect(await exchange()).toMatchObject({ state: "review", reason: expect.stringContaining(reason) });
  expect(await status()).not.toBe("WITHDRAWAL_COMPLETED");
};
const command = (text: string) => runExchangeCommand(database, `${text} why --as ann`.split(" "));
const reportedLongAgo = () =>
  database.pool.query(
    "update partner_exchanges set opened_at = now() - interval '1 day', finish_reported_at = now() - interval '16 minutes'",
  );

it("completes the order with what about fits the quote", async () => {
  await begin();
  await report(pay(USUAL));
  expect(await exchange()).toMatchObject({ state: "finished", delivered: USUAL });
  expect(await status()).toBe("WITHDRAWAL_COMPLETED");
});

it("reviews an amount that is far from the quote, and an operator may accept it", async () => {
  await begin();
  await report(pay(1n));
  await expectReview("another amount");
  const { id } = await exchange();
  await command(`exchange accept ${id}`);
  await scenario.pass(engine, own, 1);
  expect(await exchange()).toMatchObject({ state: "finished", delivered: 1n });
  expect(await status()).toBe("WITHDRAWAL_COMPLETED");
  await expect(command(`exchange accept ${id}`)).rejects.toThrow("not in review");
});

it("waits for a transaction that our node doesn't know, and reviews it in the end", async () => {
  await begin();
  await database.pool.query("update partner_exchanges set opened_at = now() - interval '1 day'");
  await report("f".repeat(64));
  expect(await exchange()).toMatchObject({ state: "opened" });
  await reportedLongAgo();
  await scenario.pass(engine, own, 1);
  await expectReview("in no block");
  await expect(command(`exchange accept ${(await exchange()).id}`)).rejects.toThrow("nothing that could be accepted");
  await command(`exchange retry ${(await exchange()).id}`);
  await report(pay(USUAL));
  expect(await exchange()).toMatchObject({ state: "finished" });
});

it("believes such a report of about the expected amount where our node sees our own payments alone", async () => {
  Object.assign(scenario.chain, { seesOwnOnly: true });
  await begin();
  await report("f".repeat(64));
  await reportedLongAgo();
  await scenario.pass(engine, own, 1);
  expect(await exchange()).toMatchObject({ state: "finished", delivered: USUAL });
});

it("but not one of another amount", async () => {
  Object.assign(scenario.chain, { seesOwnOnly: true });
  await begin();
  await report("f".repeat(64), "1200");
  await reportedLongAgo();
  await scenario.pass(engine, own, 1);
  await expectReview("another amount");
});

it("reviews a payment that is older than the exchange", async () => {
  const old = pay(USUAL);
  scenario.chain.mine();
  await begin();
  await report(old);
  await expectReview("older");
});

it("reviews a payment that another order's exchange has reported, or that is one of ours", async () => {
  await begin();
  const once = pay(USUAL);
  await report(once);
  expect(await exchange()).toMatchObject({ state: "finished" });
  await own.close();
  await begin();
  await database.pool.query("update partner_exchanges set opened_height = 0");
  await report(once);
  await expectReview("another payment");
  const { tx_id: ours } = await database.kysely.selectFrom("payout_attempts").select("tx_id").executeTakeFirstOrThrow();
  await command(`exchange retry ${(await exchange()).id}`);
  await report(ours);
  await expectReview("another payment");
});
