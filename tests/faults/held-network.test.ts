import { afterEach, beforeEach, expect, it } from "vitest";
import { chainMetrics } from "../../server/chains/metrics.ts";
import { runNetworkCommand } from "../../server/chains/operator.ts";
import type { RecentPayment } from "../../server/chains/port.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;

let database: TestDatabase;
let swap: FaultySwap;
/** What the node says of its mempool. */
let recentPayments: () => Promise<RecentPayment[]>;

beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
  recentPayments = async () => [];
  Object.assign(swap.chain, { recentPayments: () => recentPayments() });
  await swap.open();
  swap.pay();
});
afterEach(() => database.drop());

const payments = () => database.kysely.selectFrom("payouts").select(["state", "failures"]).execute();
const held = async () => (await listHeld(database)).map(({ subject, details }) => [subject, details.at(-1)?.text]);
const isDown = async () => {
  await database.pool.query("update followed_networks set held_since = held_since - interval '11 seconds'");
  await swap.testEngine.switches.refresh();
  return swap.testEngine.switches.isHeld("ETH");
};
const metric = () =>
  chainMetrics(database, () => new Map())
    .find(({ name }) => name === "network_held_seconds")
    ?.read();

it("is held where its mempool can't be read: operators see it, no payment is to blame, and it ends by itself", async () => {
  recentPayments = () => Promise.reject(new Error("busy"));
  await swap.blocks(12);
  expect(await payments()).toEqual([{ state: "intended", failures: 0 }]);
  expect(await held()).toEqual([["network ETH", expect.stringContaining("can't be read")]]);
  expect(await isDown()).toBe(true);
  expect(await metric()).toEqual([{ labels: { network: "ETH" }, value: expect.any(Number) }]);
  recentPayments = async () => [];
  await swap.testEngine.engine.followers.get("ETH")?.turn();
  expect(await held()).toEqual([]);
  expect(await isDown()).toBe(false);
  expect(await metric()).toEqual([]);
  await swap.blocks(6);
  expect(swap.paid()).toEqual([FULL]);
});

it("is held where a node counts a payment that nobody shows, until an operator lets payments go on beside it", async () => {
  let key = "hot:0";
  recentPayments = async () => [{ txId: null, height: null, key }];
  await swap.blocks(5);
  expect(await payments()).toEqual([{ state: "intended", failures: 0 }]);
  expect(await held()).toEqual([["network ETH", expect.stringContaining("hot:0")]]);
  await runNetworkCommand(database, ["skip-waiting", "ETH", "its node is wrong", "--as", "ann"]);
  await swap.blocks(6);
  expect(swap.paid()).toEqual([FULL]);
  expect(await held()).toEqual([]);
  // Another one holds it again.
  key = "hot:9";
  await swap.open();
  swap.pay();
  await swap.blocks(5);
  expect(await held()).toEqual([["network ETH", expect.stringContaining("hot:9")]]);
  expect(swap.paid()).toEqual([FULL]);
});
