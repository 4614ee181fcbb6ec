import type { Log } from "../base/logging/log.ts";
import { repeat, type Loop } from "../base/concurrency/loop.ts";
import type { Database } from "../db/database.ts";
import { readTips } from "./follower/index.ts";
import type { NetworkStatus } from "./network-status.ts";
import type { Pace } from "./pace.ts";
import type { NetworkReader } from "./port.ts";

/** A node that does not answer is asked again after this, so that its network is soon known to be down. */
const FAILING_EVERY_MS = 2_000;

/** For so long the start waits for the first answers of the nodes. */
const FIRST_WITHIN_MS = 3_000;

type Bus = { publish(change: "network-status"): void; on(change: "network-status", listener: () => void): () => void };

/**
 * Tells other processes when a network goes down or is up again, and asks every node at once when one of them does: whoever looks seldom
 * would offer a dead network for minutes. Returns the function that ends this.
 */
export function shareNetworkStatus(
  status: Pick<NetworkStatus, "onChange">,
  loops: ReadonlyMap<string, Pick<Loop, "wake">>,
  bus: Bus,
): () => void {
  const ends = [
    status.onChange(() => bus.publish("network-status")),
    bus.on("network-status", () => loops.forEach((loop) => loop.wake())),
  ];
  return () => ends.forEach((end) => end());
}

/**
 * Asks each network's node for its newest block, and reports what we have read of the network to its status; a loop for each node, and
 * one for the simulated networks, which only fail together. Resolves once every node has answered or failed for the first time, so that
 * the first requests know which networks are down; one that is only slow is not waited for.
 */
export async function watchHeads(parts: {
  database: Database;
  readers: ReadonlyMap<string, NetworkReader>;
  /** Those among them that the database plays. */
  simulatedNetworks: ReadonlySet<string>;
  status: NetworkStatus;
  pace: Pick<Pace, "head">;
  log: Log;
}): Promise<ReadonlyMap<string, Loop>> {
  const { database, readers, simulatedNetworks, status, pace, log } = parts;
  const ask = async (networks: readonly string[]): Promise<void> => {
    // Before the heads, which are compared with them.
    for (const [network, tip] of await readTips(database.kysely, networks)) status.reportTail(network, tip);
    await Promise.all(networks.map(async (network) => readers.get(network)?.head()));
  };
  const loops = new Map<string, Loop>();
  const waited: Promise<void>[] = [];
  for (const networks of groupsOf(readers.keys(), simulatedNetworks)) {
    let isFailing = true;
    const first = Promise.withResolvers<void>();
    waited.push(first.promise);
    const turn = async () => {
      isFailing = true;
      await ask(networks).finally(first.resolve);
      isFailing = false;
    };
    const every = () => (isFailing ? FAILING_EVERY_MS : Math.min(...networks.map(pace.head)));
    const loop = repeat(`head ${networks.join(" ")}`, every, turn, log);
    for (const network of networks) loops.set(network, loop);
  }
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, FIRST_WITHIN_MS);
  await Promise.race([Promise.all(waited), timeout.promise]);
  clearTimeout(timer);
  return loops;
}

function groupsOf(networks: Iterable<string>, simulatedNetworks: ReadonlySet<string>): string[][] {
  const { simulated = [], live = [] } = Object.groupBy(networks, (network) =>
    simulatedNetworks.has(network) ? "simulated" : "live",
  );
  return [...live.map((network) => [network]), ...(simulated.length === 0 ? [] : [simulated])];
}
