import { powerOfTen } from "#contract/money.ts";
import type { Database } from "../../server/db/database.ts";
import { openSandboxChain, type SandboxChain } from "../../server/chains/simulated/network.ts";

/** Decimals of the coins that the tests play with. */
export const SANDBOX_DECIMALS: Record<string, number> = {
  btc: 8,
  xrp: 6,
  xmr: 12,
  trx: 6,
  "usdt-trc20": 6,
  sol: 9,
  ton: 9,
};

/** A chain whose clock stands still until the test moves it, with a treasury of 1,000 of each coin. */
export async function sandboxChain(
  database: Database,
  networkTitle: string,
  slugs: readonly string[] = [networkTitle.toLowerCase()],
  now: () => number = () => 0,
): Promise<SandboxChain> {
  const instruments = slugs.map((slug) => ({
    slug,
    contractAddress: slug.includes("-") ? "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" : null,
    decimals: SANDBOX_DECIMALS[slug] ?? 8,
  }));
  const stock = new Map(instruments.map(({ slug, decimals }) => [slug, 1_000n * powerOfTen(decimals)]));
  return openSandboxChain({ database, networkTitle, instruments, stock, now });
}
