import type { Log } from "../../base/logging/log.ts";
import { repeat, startLoop, type Loop } from "../../base/concurrency/loop.ts";
import type { DueNetworks } from "../../db/job-runner.ts";
import type { TreasuryJobs } from "../jobs.ts";

/** While a network has work: its loop may be busy with the last of it. */
const PAYOUTS_EVERY_MS = 500;
const SWEEPS_EVERY_MS = 2_000;
/** Whoever makes a payment due wakes the loop; this finds what was missed. */
const PAYOUTS_IDLE_MS = 10_000;
const SWEEPS_IDLE_MS = 20_000;
const PLAN_SWEEPS_EVERY_MS = 30_000;
/** A network's own loop is woken when it has work; this is for a wake that was missed. */
const IDLE_MS = 300_000;

/**
 * Runs payouts and sweeps, each network by a loop of its own: a node that hangs costs its own network alone (engine law 16).
 * Waking `payouts` finds new work at once. `onRan` is called after each batch, which may have made other jobs due.
 */
export function startPaymentLoops(
  jobs: TreasuryJobs,
  log: Log,
  onRan: () => void = () => undefined,
): { payouts: Loop; others: Loop[] } {
  const { paymentNetworks: networks } = jobs;
  const [payouts, ...payoutLoops] = startNetworkLoops({
    name: "payouts",
    everyMs: PAYOUTS_EVERY_MS,
    idleMs: PAYOUTS_IDLE_MS,
    networks,
    due: () => jobs.duePayouts(),
    run: (network) => jobs.runPayouts(network),
    onRan,
    log,
  });
  const [sweeps, ...sweepLoops] = startNetworkLoops({
    name: "sweeps",
    everyMs: SWEEPS_EVERY_MS,
    idleMs: SWEEPS_IDLE_MS,
    networks,
    due: () => jobs.dueSweeps(),
    run: (network) => jobs.runSweeps(network),
    onRan,
    log,
  });
  const plan = async () => {
    await jobs.planSweeps();
    sweeps.wake();
  };
  const plans = repeat("sweep plans", PLAN_SWEEPS_EVERY_MS, plan, log);
  return { payouts, others: [...payoutLoops, sweeps, ...sweepLoops, plans] };
}

type NetworkLoops = {
  name: string;
  everyMs: number;
  idleMs: number;
  networks: readonly string[];
  /** The networks that have work now, and when others will: one query for all of them. */
  due(): Promise<DueNetworks>;
  run(network: string): Promise<boolean>;
  onRan(): void;
  log: Log;
};

/** The first loop finds the networks with work and wakes theirs, which follow it. */
function startNetworkLoops({ name, everyMs, idleMs, networks, due, run, onRan, log }: NetworkLoops): [Loop, ...Loop[]] {
  const turn = async (network: string): Promise<boolean> => {
    const more = await run(network);
    // What the batch has made due is looked for, and when the next of it is.
    finder.wake();
    onRan();
    return more;
  };
  const find = async () => {
    const found = await due();
    for (const network of found.networks) loops.get(network)?.wake();
    return found.networks.length > 0 ? everyMs : (found.nextInMs ?? false);
  };
  const finder = startLoop(name, idleMs, find, log);
  const loops = new Map(
    networks.map((network) => [network, startLoop(`${name} ${network}`, IDLE_MS, () => turn(network), log)]),
  );
  return [finder, ...loops.values()];
}
