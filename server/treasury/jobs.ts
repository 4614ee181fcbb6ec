import { divideUp, parseAmount, powerOfTen } from "#contract/money.ts";
import { PRICE_DECIMALS, requireInstrument, type Catalogue, type CatalogueInstrument } from "../catalogue/index.ts";
import type { NetworkReader } from "../chains/port.ts";
import { createLogThrottle, STOP_REMINDER_MS } from "../base/logging/log-throttle.ts";
import { dueNetworks, runDueJobs, type DueNetworks, type JobLimits } from "../db/job-runner.ts";
import { costLimit } from "./payouts/limits/cost-limit.ts";
import { post } from "./ledger/ledger.ts";
import type { PayoutParts, PayoutRow } from "./payouts/store.ts";
import { advancePayout } from "./payouts/payouts.ts";
import { createSigningTurns } from "./payouts/signing-turns.ts";
import { advanceSweep, collectSweeps } from "./sweeps/sweeps.ts";

export type TreasuryJobsParts = Omit<
  PayoutParts,
  | "post"
  | "feeSlugOf"
  | "finalDepthOf"
  | "decimalsOf"
  | "signInTurn"
  | "fullWallets"
  | "isStopReminderDue"
  | "costLimit"
  | "replacement"
> & {
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  /** The network fee that the customer was charged for a payment, in minor units of what it pays; null where nobody was. */
  chargedFee(payout: PayoutRow): Promise<bigint | null>;
  /** How many payments of one network run at once, and for how long each; tests make them follow each other. */
  jobLimits?: JobLimits;
};

/** Four payments of a network at a time, each for less than a lease. */
const JOB_LIMITS: JobLimits = { concurrency: 4, budgetMs: 8_000 };
/** A signature that takes longer lets the next one begin: only speed depends on the order, safety on the rows. */
const SIGNING_TURN_MS = 3_000;

export type TreasuryJobs = {
  /** The networks that this process can pay on. */
  paymentNetworks: readonly string[];
  duePayouts(): Promise<DueNetworks>;
  dueSweeps(): Promise<DueNetworks>;
  /** Runs one batch of a network's due payouts; true when more may be due. */
  runPayouts(network: string): Promise<boolean>;
  /** Plans sweeps of the deposit addresses that hold enough. */
  planSweeps(): Promise<void>;
  /** Runs one batch of a network's due sweeps and of their payments; true when more may be due. */
  runSweeps(network: string): Promise<boolean>;
};

export function createTreasuryJobs(parts: TreasuryJobsParts): TreasuryJobs {
  const { database, catalogue, readers, log } = parts;
  const instrumentOf = (slug: string) => requireInstrument(catalogue, slug);
  const fullWallets = new Set<string>();
  const payoutParts: PayoutParts = {
    ...parts,
    post,
    signInTurn: createSigningTurns(SIGNING_TURN_MS),
    fullWallets,
    isStopReminderDue: createLogThrottle(STOP_REMINDER_MS),
    feeSlugOf: (network) => {
      const reader = readers.get(network);
      if (reader === undefined) throw new Error(`${network} has no node`);
      return reader.feeSlug;
    },
    decimalsOf: (slug) => instrumentOf(slug).decimals,
    finalDepthOf: (slug) => instrumentOf(slug).confirmations,
    costLimit: async (payout, kind = "first") => {
      const charged = await parts.chargedFee(payout);
      if (charged === null) return null;
      const priced = (slug: string) => ({ ...instrumentOf(slug), priceUsd: parts.priceUsd(slug) });
      const of = priced(payout.slug);
      const { replacementTimesCharged: timesCharged, replacementOverChargedUsd: overChargedUsd } = of.caps;
      const caps = kind === "first" ? of.caps : { timesCharged, overChargedUsd };
      return costLimit(charged, { ...of, caps }, priced(payoutParts.feeSlugOf(payout.network)));
    },
    replacement: (network) => {
      const terms = catalogue.networks.get(network);
      if (terms === undefined) throw new Error(`${network} is not in the catalogue`);
      return terms;
    },
  };
  const sweepParts = {
    ...payoutParts,
    slugsOf: (network: string) =>
      [...catalogue.instruments.values()].flatMap(({ slug, networkTitle, isActive }) =>
        isActive && networkTitle === network ? [slug] : [],
      ),
    maxCostBps: catalogue.terms.sweepMaxCostBps,
    gasPaymentFee: (network: string) => {
      const reader = readers.get(network);
      if (reader === undefined) throw new Error(`${network} has no node`);
      return reader.estimateFee(reader.feeSlug);
    },
    minSweepAmount: (slug: string) => {
      const price = parts.priceUsd(slug);
      return price === null ? null : minSweepAmount(instrumentOf(slug), price);
    },
  };
  const limits = parts.jobLimits ?? JOB_LIMITS;
  const runPayments = (queue: "payouts" | "sweep payments", network: string) => {
    // A block may have taken one since.
    fullWallets.delete(network);
    return runDueJobs(database, queue, (id) => advancePayout(payoutParts, BigInt(id)), log, { ...limits, network });
  };
  return {
    paymentNetworks: [...parts.wallets.keys()],
    duePayouts: () => dueNetworks(database, ["payouts"]),
    dueSweeps: () => dueNetworks(database, ["sweeps", "sweep payments"]),
    runPayouts: (network) => runPayments("payouts", network),
    planSweeps: () => collectSweeps(sweepParts),
    runSweeps: async (network) => {
      const advance = (id: string) => advanceSweep(sweepParts, BigInt(id));
      const more = await runDueJobs(database, "sweeps", advance, log, { ...limits, network });
      return (await runPayments("sweep payments", network)) || more;
    },
  };
}

/** The smallest amount of an instrument that is worth a sweep, in its minor units. */
function minSweepAmount({ sweepMinUsd, decimals }: CatalogueInstrument, priceUsd: bigint): bigint {
  const usd = parseAmount(sweepMinUsd, PRICE_DECIMALS);
  if (usd === null) throw new RangeError(`a limit in USD has too many decimals: ${sweepMinUsd}`);
  return divideUp(usd * powerOfTen(decimals), priceUsd);
}
