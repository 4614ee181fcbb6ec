import { median } from "../../base/median.ts";
import { sql } from "kysely";
import type { Catalogue } from "../../catalogue/index.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";

/** A median of fewer says little about the next payout. */
const MIN_PAYOUTS = 5;
/** The last completed orders whose payouts count, of all networks together. */
const ORDERS = 300;
const VALID_MS = 60_000;

/** How long payouts took lately. */
export type PayoutTimes = {
  /** Median seconds from a payout's start to its completion on a network; null while too few are known. Answers from what was read last. */
  seconds(network: string): number | null;
  refresh(): Promise<void>;
};

type PayoutTimesParts = {
  database: Database;
  catalogue: Pick<Catalogue, "instruments">;
  log: Log;
  /** Called when the medians have changed. */
  onChange: () => void;
  now?: () => number;
};

/** Reads the medians again when they are asked for and older than a minute, so that nobody's visit costs nothing. */
export function createPayoutTimes({
  database,
  catalogue,
  log,
  onChange,
  now = () => performance.now(),
}: PayoutTimesParts): PayoutTimes {
  let medians: ReadonlyMap<string, number> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;

  const refresh = async (): Promise<void> => {
    readAt = now();
    const next = mediansByNetwork(await readDurations(database), catalogue);
    const isSame =
      next.size === medians.size && [...next].every(([network, median]) => medians.get(network) === median);
    medians = next;
    if (!isSame) onChange();
  };

  return {
    seconds: (network) => {
      if (now() - readAt >= VALID_MS)
        refresh().catch((error: unknown) => log.warn({ err: error }, "the times of payouts could not be read"));
      return medians.get(network) ?? null;
    },
    refresh,
  };
}

type Duration = { slug: string; seconds: number };

async function readDurations({ kysely }: Database): Promise<Duration[]> {
  const { rows } = await sql<Duration>`
    select last.to_slug as slug, extract(epoch from last.completed_at - started.at)::double precision as seconds
    from (select id, to_slug, completed_at from orders where completed_at is not null order by completed_at desc limit ${ORDERS}) last
    join lateral (
      select at from order_events where order_id = last.id and kind = 'FUNDS_WITHDRAWAL_START' order by seq desc limit 1
    ) started on true
    where last.completed_at >= started.at`.execute(kysely);
  return rows;
}

/** @internal Exported for its tests. */
export function mediansByNetwork(
  durations: readonly Duration[],
  { instruments }: Pick<Catalogue, "instruments">,
): Map<string, number> {
  const byNetwork = Map.groupBy(durations, ({ slug }) => instruments.get(slug)?.networkTitle ?? "");
  byNetwork.delete("");
  return new Map(
    [...byNetwork]
      .filter(([, given]) => given.length >= MIN_PAYOUTS)
      .map(([network, given]) => [network, median(given.map(({ seconds }) => seconds))]),
  );
}
