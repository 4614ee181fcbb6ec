import type { Database } from "../../../server/db/database.ts";
import type { SimulatedChain } from "../../../server/chains/simulated/network.ts";
import { createTestEngine, StillRates, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { simulatedCatalogue } from "../../../tests/support/chains/simulated-catalogue.ts";
import { simulatedChain } from "../../../tests/support/chains/simulated-chain.ts";

const SCALE = 10n ** 18n;

export type SettlingEngine = TestEngine & { btc: SimulatedChain; xrp: SimulatedChain };

/** An engine over two networks that the database itself simulates, so that several processes share them. */
export async function settlingEngine(database: Database): Promise<SettlingEngine> {
  const [btc, xrp] = [await simulatedChain(database, "BTC"), await simulatedChain(database, "XRP")];
  const rates = new StillRates();
  rates.prices = new Map([
    ["btc", 100_000n * SCALE],
    // So dear that the treasury's 1,000 last for all orders.
    ["xrp", 10_000n * SCALE],
  ]);
  rates.fee = 100n;
  const testEngine = await createTestEngine({
    database,
    reader: btc.reader(),
    wallet: btc.wallet(),
    others: [{ reader: xrp.reader(), wallet: xrp.wallet() }],
    catalogue: simulatedCatalogue(),
    rates,
    jobLimits: { concurrency: 4, budgetMs: 8_000 },
  });
  return { ...testEngine, btc, xrp };
}
