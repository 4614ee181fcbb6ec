import { divideUp, parseAmount, powerOfTen } from "#contract/money.ts";
import { PRICE_DECIMALS, requireInstrument, type Catalogue, type CatalogueInstrument } from "../catalogue/index.ts";
import type { NetworkReader } from "../chains/port.ts";
import { runDueJobs } from "../db/job-runner.ts";
import { post } from "./ledger.ts";
import type { PayoutParts } from "./payout-store.ts";
import { advancePayout } from "./payouts.ts";
import { advanceSweep, collectSweeps } from "./sweeps.ts";

export type TreasuryJobsParts = Omit<PayoutParts, "post" | "feeSlugOf" | "finalDepthOf"> & {
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  /** In USD, scaled by 10^18; null while there is no usable price. */
  priceUsd(slug: string): bigint | null;
};

export type TreasuryJobs = {
  /** Runs one batch of due payouts; true when more may be due. */
  runPayouts(): Promise<boolean>;
  /** Plans sweeps of the deposit addresses that hold enough. */
  planSweeps(): Promise<void>;
  /** Runs one batch of due sweeps and of their payments; true when more may be due. */
  runSweeps(): Promise<boolean>;
};

export function createTreasuryJobs(parts: TreasuryJobsParts): TreasuryJobs {
  const { database, catalogue, readers, log } = parts;
  const instrumentOf = (slug: string) => requireInstrument(catalogue, slug);
  const payoutParts: PayoutParts = {
    ...parts,
    post,
    feeSlugOf: (network) => {
      const reader = readers.get(network);
      if (reader === undefined) throw new Error(`${network} has no node`);
      return reader.feeSlug;
    },
    finalDepthOf: (slug) => instrumentOf(slug).confirmations,
  };
  const sweepParts = {
    ...payoutParts,
    slugsOf: (network: string) =>
      [...catalogue.instruments.values()].flatMap(({ slug, networkTitle, isActive }) =>
        isActive && networkTitle === network ? [slug] : [],
      ),
    minSweepAmount: (slug: string) => {
      const price = parts.priceUsd(slug);
      return price === null ? null : minSweepAmount(instrumentOf(slug), price);
    },
  };
  const runPayments = (queue: "payouts" | "sweep payments") =>
    runDueJobs(database, queue, (id) => advancePayout(payoutParts, BigInt(id)), log);
  return {
    runPayouts: () => runPayments("payouts"),
    planSweeps: () => collectSweeps(sweepParts),
    runSweeps: async () => {
      const more = await runDueJobs(database, "sweeps", (id) => advanceSweep(sweepParts, BigInt(id)), log);
      return (await runPayments("sweep payments")) || more;
    },
  };
}

/** The smallest amount of an instrument that is worth a sweep, in its minor units. */
function minSweepAmount({ sweepMinUsd, decimals }: CatalogueInstrument, priceUsd: bigint): bigint {
  const usd = parseAmount(sweepMinUsd, PRICE_DECIMALS);
  if (usd === null) throw new RangeError(`a limit in USD has too many decimals: ${sweepMinUsd}`);
  return divideUp(usd * powerOfTen(decimals), priceUsd);
}
