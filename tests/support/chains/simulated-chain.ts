import { powerOfTen } from "#contract/money.ts";
import type { Database } from "../../../server/db/database.ts";
import { openSimulatedChain, type SimulatedChain } from "../../../server/chains/simulated/network.ts";

/** Decimals of the coins of the tests. */
export const SIMULATED_DECIMALS: Record<string, number> = {
  btc: 8,
  xrp: 6,
  xmr: 12,
  trx: 6,
  "usdt-trc20": 6,
  sol: 9,
  ton: 9,
};

/** A chain whose clock stands still until the test moves it, with a treasury of 1,000 of each coin. */
export async function simulatedChain(
  database: Database,
  networkTitle: string,
  slugs: readonly string[] = [networkTitle.toLowerCase()],
  now: () => number = () => 0,
): Promise<SimulatedChain> {
  const instruments = slugs.map((slug) => ({
    slug,
    contractAddress: slug.includes("-") ? "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" : null,
    decimals: SIMULATED_DECIMALS[slug] ?? 8,
  }));
  const initialBalances = new Map(instruments.map(({ slug, decimals }) => [slug, 1_000n * powerOfTen(decimals)]));
  return openSimulatedChain({ database, networkTitle, instruments, initialBalances, now });
}
