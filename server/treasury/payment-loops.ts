import type { Log } from "../base/log.ts";
import { repeat, startLoop, type Loop } from "../base/loop.ts";
import type { TreasuryJobs } from "./jobs.ts";

const PAYOUTS_EVERY_MS = 500;
const SWEEPS_EVERY_MS = 2_000;
const PLAN_SWEEPS_EVERY_MS = 15_000;
/** A network's own loop is woken when it has work; this is for a wake that was missed. */
const IDLE_MS = 30_000;

/**
 * Runs payouts and sweeps, each network by a loop of its own: a node that hangs costs its own network alone (engine law 16).
 * Waking `payouts` finds new work at once.
 */
export function startPaymentLoops(jobs: TreasuryJobs, log: Log): { payouts: Loop; others: Loop[] } {
  const { paymentNetworks: networks } = jobs;
  const [payouts, ...payoutLoops] = startNetworkLoops({
    name: "payouts",
    everyMs: PAYOUTS_EVERY_MS,
    networks,
    due: () => jobs.networksWithDuePayouts(),
    run: (network) => jobs.runPayouts(network),
    log,
  });
  const sweepLoops = startNetworkLoops({
    name: "sweeps",
    everyMs: SWEEPS_EVERY_MS,
    networks,
    due: () => jobs.networksWithDueSweeps(),
    run: (network) => jobs.runSweeps(network),
    log,
  });
  const plans = repeat("sweep plans", PLAN_SWEEPS_EVERY_MS, () => jobs.planSweeps(), log);
  return { payouts, others: [...payoutLoops, ...sweepLoops, plans] };
}

type NetworkLoops = {
  name: string;
  everyMs: number;
  networks: readonly string[];
  /** The networks that have work now: one query for all of them. */
  due(): Promise<string[]>;
  run(network: string): Promise<boolean>;
  log: Log;
};

/** The first loop finds the networks with work and wakes theirs, which follow it. */
function startNetworkLoops({ name, everyMs, networks, due, run, log }: NetworkLoops): [Loop, ...Loop[]] {
  const loops = new Map(
    networks.map((network) => [network, startLoop(`${name} ${network}`, IDLE_MS, () => run(network), log)]),
  );
  const find = async () => {
    for (const network of await due()) loops.get(network)?.wake();
  };
  return [repeat(name, everyMs, find, log), ...loops.values()];
}
