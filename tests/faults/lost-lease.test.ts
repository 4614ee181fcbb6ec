import { afterEach, beforeEach, expect, it } from "vitest";
import type { BodyInput } from "#contract/calls.ts";
import { creditAccount } from "../../server/earnings/index.ts";
import { rowViolations } from "../support/checkers/row-checkers.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { AccountBrowser, type AccountReply } from "../support/http/account-browser.ts";
import { testApp, type TestApp } from "../support/http/http-app.ts";
import { ADDRESS, EarningsScenario, USDT, USDT_TRC20 } from "../support/scenarios/earnings-scenario.ts";
import { orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";

const UNIT = 1_000_000n;
const BY_EMAIL = { email: "ann@mail.example", password: "a long enough phrase" };
const KEY = { "idempotency-key": "k1" };

let database: TestDatabase;
let scenario: EarningsScenario;
let engine: TestEngine;
let app: TestApp;
let browser: AccountBrowser;
/** Each call waits here, with its lease, until the test opens it. */
let gate: PromiseWithResolvers<void>;
let waiting: (() => void)[];
let arrived: Promise<void>[];

beforeEach(async () => {
  database = await freshDatabase({ max: 10 });
  scenario = new EarningsScenario(database);
  scenario.now = new Date();
  engine = await scenario.engine();
  await engine.settle();
  gate = Promise.withResolvers();
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  [waiting, arrived] = [both.map(({ resolve }) => resolve), both.map(({ promise }) => promise)];
  const earnings = await scenario.earnings();
  const { orderService } = engine.engine;
  const held = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    waiting.shift()?.();
    await gate.promise;
    return run();
  };
  app = await testApp(database, {
    orderService: { ...orderService, create: (...given) => held(() => orderService.create(...given)) },
    earnings: { ...earnings, withdraw: (...given) => held(() => earnings.withdraw(...given)) },
    networks: new Map([
      ["TRX", scenario.tron],
      ["ETH", scenario.chain],
    ]),
  });
  app.market.now = new Date();
  browser = new AccountBrowser(app);
  await browser.send("createLocal", BY_EMAIL);
  await browser.send("authenticateLocal", BY_EMAIL);
  const userId = BigInt(Number((await browser.send("accountData")).body["userId"]));
  await creditAccount(database, { userId, slug: USDT, amount: 50n * UNIT, at: new Date() });
});
afterEach(async () => {
  await app.close();
  await database.drop();
});

/** The commit of a lease does not wait for the disk: PostgreSQL restarts without it, and the call that runs in a process doesn't notice. */
const loseLease = () => database.pool.query("delete from idempotency_keys");
const count = async (table: "orders" | "withdrawals") =>
  (await database.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n;

/** A call loses its lease while it runs, and its client repeats it at once. */
async function repeatedBeside(send: () => Promise<AccountReply>): Promise<[AccountReply, AccountReply]> {
  const first = send();
  await arrived[0];
  await loseLease();
  const second = send();
  await arrived[1];
  gate.resolve();
  return Promise.all([first, second]);
}
const withdraw = (amount: string) => () =>
  browser.send("createWithdrawal", { ...USDT_TRC20, address: ADDRESS, amount }, KEY);
const create = (changes: Partial<BodyInput<"createOrder">>) => {
  const body = { ...orderBody(), ...changes };
  return () => browser.send("createOrder", body, KEY);
};
const fixed = (): Partial<BodyInput<"createOrder">> => ({
  rateMode: "FIXED",
  refundAddress: "back",
  claimedPublicRate: { price: "2968", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1484" },
});

it.each([
  ["a part of a wallet", "20"],
  ["all of a wallet", "50"],
])("a withdrawal of %s is made once where its lease is lost and its client repeats it", async (_, amount) => {
  const [first, second] = await repeatedBeside(withdraw(amount));
  expect([first.http, second.http]).toEqual([201, 201]);
  expect(second.body["id"]).toBe(first.body["id"]);
  expect(await count("withdrawals")).toBe(1);
  await scenario.blocks(engine, 6);
  expect(scenario.received(ADDRESS)).toHaveLength(1);
  expect(await rowViolations(database)).toEqual([]);
});

it("a withdrawal whose lease and whose result are lost is answered with what was stored", async () => {
  gate.resolve();
  const first = await withdraw("50")();
  await loseLease();
  expect((await withdraw("50")()).body).toMatchObject({ id: first.body["id"] });
  expect(await count("withdrawals")).toBe(1);
});

it.each<[string, () => Partial<BodyInput<"createOrder">>]>([
  ["a floating order", () => ({})],
  ["a fixed order", fixed],
  ["an order with a mail", () => ({ userEmail: "ann@mail.example" })],
])("%s is opened once where its lease is lost and its client repeats it", async (_, body) => {
  const send = create(body());
  const [first, second] = await repeatedBeside(send);
  expect([first.http, second.http]).toEqual([200, 200]);
  expect(second.body).toEqual(first.body);
  expect(await count("orders")).toBe(1);
  await loseLease();
  expect((await send()).body["orderId"]).toBe(first.body["orderId"]);
});

it("another body under a key whose lease is lost is another call", async () => {
  gate.resolve();
  await withdraw("20")();
  await loseLease();
  await withdraw("21")();
  expect(await count("withdrawals")).toBe(2);
});
