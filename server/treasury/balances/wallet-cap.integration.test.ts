import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { simulatedCatalogue } from "../../../tests/support/chains/simulated-catalogue.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { createLog } from "../../base/logging/log.ts";
import { measureExchange } from "../../exchange-metrics.ts";
import { runHeldCommand } from "../operator/held-commands.ts";
import { storeHotBalances } from "./available-balances.ts";
import { checkWalletCaps } from "./wallet-cap.ts";

const USD = 10n ** 18n;
const XRP = 10n ** 6n;
const catalogue = simulatedCatalogue();
let database: TestDatabase;
let chain: FakeChain;
let lines: string[];
let price: bigint | null;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  [lines, price] = [[], 2n * USD];
});
afterEach(() => database.drop());

async function check(held: bigint, walletCapUsd: number | null = 1_000): Promise<void> {
  chain.balances.set("xrp", held);
  const stored = await storeHotBalances(database, chain, ["xrp"]);
  const log = createLog({ level: "warn", destination: { write: (line: string) => lines.push(line) } });
  await checkWalletCaps({ database, catalogue, walletCapUsd, priceUsd: () => price, log }, stored);
}
const held = () => runHeldCommand({ database, catalogue, isRegtest: true }, ["held"]);
const metric = async () => {
  const registry = new Registry();
  measureExchange(registry, database, () => new Map());
  return (await registry.metrics()).split("\n").filter((line) => line.startsWith("hot_wallet_over_cap{"));
};

it("a hot wallet's balance above its cap is reported, counted and logged once", async () => {
  await check(500n * XRP);
  expect([await held(), await metric(), lines]).toEqual(["nothing is held", [], []]);
  await check(620n * XRP);
  await check(630n * XRP);
  expect(await held()).toMatch(/^hot wallet xrp {2}over_cap {2}for 0 min {2}\(above the cap 130 xrp\)$/);
  expect(await metric()).toEqual(['hot_wallet_over_cap{slug="xrp"} 130000000']);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("a hot wallet holds more than its cap");
  await check(499n * XRP);
  expect([await held(), await metric()]).toEqual(["nothing is held", []]);
});

it("a price that is gone neither begins nor ends it, and a cap that is off ends it", async () => {
  await check(600n * XRP);
  price = null;
  await check(700n * XRP);
  expect(await held()).toContain("above the cap 100 xrp");
  await check(700n * XRP, null);
  expect(await held()).toBe("nothing is held");
  await check(700n * XRP);
  expect(await held()).toBe("nothing is held");
});
