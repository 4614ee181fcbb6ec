import { divideUp, powerOfTen } from "#contract/money.ts";
import { CatalogueError, PRICE_DECIMALS, type Catalogue, type CatalogueInstrument } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import { openSimulatedChain, type SimulatedChain } from "../chains/simulated/network.ts";
import { PROFILES } from "../chains/simulated/profiles.ts";
import type { MarketFeed } from "../rates/market/port.ts";
import type { SandboxNetwork } from "../sandbox/port.ts";
import type { OpenNetwork } from "./driver.ts";
import { watchingPause } from "./watching-pause.ts";

/** Twice the 1,000,000 USD of each asset that the sandbox's treasury promises (contract §7): it pays out before deposits are swept. */
const STOCK_USD = 2_000_000n;

export type SimulatedNetwork = OpenNetwork & { sandbox: SandboxNetwork };

export type SimulatedParts = {
  database: Database;
  catalogue: Catalogue;
  /** Networks that a node or a devnet serves. */
  served: ReadonlySet<string>;
  isWorker: boolean;
  /** What the treasury's stock is worth in. */
  market: Pick<MarketFeed, "read">;
  /** Told when somebody stops a network's clock or starts it again, in whichever process. */
  onPaused(networkTitle: string, paused: boolean): void;
};

/** Plays every network whose instruments are traded and that nothing else serves; only the sandbox does this. */
export async function playNetworks(parts: SimulatedParts): Promise<SimulatedNetwork[]> {
  const prices = await parts.market.read();
  const networks: SimulatedNetwork[] = [];
  for (const [networkTitle, instruments] of playedInstruments(parts)) {
    const initialBalances = new Map(instruments.map((one) => [one.slug, stockOf(one, prices.get(one.slug)?.usd)]));
    const chain = await openSimulatedChain({ database: parts.database, networkTitle, instruments, initialBalances });
    networks.push({
      reader: watchingPause(chain.reader(), chain.controls, parts.onPaused),
      wallet: parts.isWorker ? chain.wallet() : null,
      sandbox: sandboxOf(chain, parts.onPaused),
    });
  }
  return networks;
}

function playedInstruments({ catalogue, served }: SimulatedParts): Map<string, CatalogueInstrument[]> {
  const played = new Map<string, CatalogueInstrument[]>();
  for (const instrument of catalogue.instruments.values()) {
    const { networkTitle, isActive, instrumentType } = instrument;
    if (!isActive || instrumentType === "fiat" || served.has(networkTitle) || !PROFILES.has(networkTitle)) continue;
    played.set(networkTitle, [...(played.get(networkTitle) ?? []), instrument]);
  }
  for (const [networkTitle, instruments] of played) {
    const coin = PROFILES.get(networkTitle)?.coin;
    if (!instruments.some(({ slug }) => slug === coin))
      throw new CatalogueError([`${networkTitle} can't be played without its own coin, ${coin}, being active`]);
  }
  return played;
}

function stockOf({ slug, decimals }: CatalogueInstrument, priceUsd: bigint | undefined): bigint {
  if (priceUsd === undefined || priceUsd <= 0n) throw new Error(`the sandbox's market has no price of ${slug}`);
  return divideUp(STOCK_USD * powerOfTen(PRICE_DECIMALS + decimals), priceUsd);
}

function sandboxOf({ networkTitle, controls }: SimulatedChain, onPaused: SimulatedParts["onPaused"]): SandboxNetwork {
  return {
    networkTitle,
    pay: (payment) => controls.pay(payment),
    mine: (blocks) => controls.mine(blocks),
    setPaused: async (paused) => {
      await controls.setPaused(paused);
      onPaused(networkTitle, paused);
    },
    reorg: (depth) => controls.reorg(depth),
    height: () => controls.height(),
  };
}
