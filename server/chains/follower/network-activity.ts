import { sql } from "kysely";
import { isInProgress } from "../../db/orders-in-progress.ts";
import type { Log } from "../../base/logging/log.ts";
import { repeat, throttle } from "../../base/concurrency/loop.ts";
import type { Database } from "../../db/database.ts";

const REFRESH_EVERY_MS = 15_000;
const REFRESH_GAP_MS = 1_000;
/** How long every network is read quickly after somebody moved a local chain by hand. */
const MOVED_FOR_MS = 60_000;

/** Which networks somebody waits for: those of open orders, of deposits that are not settled and of payments under way. */
export type NetworkActivity = {
  /** True for every network until the rows were read once. */
  isInUse(network: string): boolean;
  /** Calls back when somebody begins to wait for a network; returns the function that ends this. */
  onBegin(listener: (network: string) => void): () => void;
  /** Reads the rows soon. */
  wake(): void;
  /** Reads every network quickly for a minute: a local chain was moved by hand, for which no row waits. */
  wakeAll(): void;
  stop(): Promise<void>;
};

/** Keeps up with the rows, so that a network that nobody waits for is read at its own pace and not many times a second. */
export function watchActivity(parts: { database: Database; networks: Iterable<string>; log: Log }): NetworkActivity {
  const { database, log } = parts;
  const networks = [...parts.networks];
  const listeners = new Set<(network: string) => void>();
  let inUse: ReadonlySet<string> = new Set(networks);
  let movedAt = Number.NEGATIVE_INFINITY;

  const refresh = async (): Promise<void> => {
    const before = inUse;
    inUse = await networksInUse(database);
    for (const network of inUse) if (!before.has(network)) begin(network);
  };
  const begin = (network: string): void => {
    for (const listener of listeners) listener(network);
  };
  const loop = repeat("networks in use", REFRESH_EVERY_MS, refresh, log);
  const woken = throttle(REFRESH_GAP_MS, loop.wake);
  return {
    isInUse: (network) => inUse.has(network) || performance.now() - movedAt < MOVED_FOR_MS,
    onBegin: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    wake: woken.call,
    wakeAll: () => {
      movedAt = performance.now();
      for (const network of networks) begin(network);
    },
    stop: () => {
      woken.stop();
      return loop.stop();
    },
  };
}

/** The networks for whose coins or payments somebody waits. */
export async function networksInUse({ kysely }: Database): Promise<Set<string>> {
  const { rows } = await sql<{ network: string }>`
    select a.network from orders o join deposit_addresses a on a.order_id = o.id where o.unpaid_until is not null
    union
    select a.network from orders o join deposit_addresses a on a.order_id = o.id
      where ${isInProgress("o.state")}
    union
    select network from deposits where credited_at is null and review_reason is null
    union
    select network from payouts where state in ('intended', 'broadcast', 'mined', 'review')`.execute(kysely);
  return new Set(rows.map(({ network }) => network));
}
