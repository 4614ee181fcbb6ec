import { sql } from "kysely";
import { ASKED_FOR_EXCHANGES, type AskedPair } from "#contract/site/listed-pairs.ts";
import type { PairActivity } from "#contract/site/pair-activity.ts";
import { formatAmount } from "#contract/money.ts";
import { decodeState } from "../decisions/order.ts";
import { type CompletedExchange, pairStatistics } from "./pair-statistics.ts";
import { roundedAmount, wholeMinute } from "./public-figures.ts";
import type { ReadParts } from "./read.ts";

/** Exchanges that the figures of a pair are made from, at most, and how old they may be. */
const EXCHANGES = 100;
const SINCE_MS = 30 * 86_400_000;
const LATEST_SHOWN = 5;
/** More pairs than a list of pages could hold. */
const MAX_ASKED = 10_000;

type Pair = { readonly from: string; readonly to: string };
type Row = { snapshot: unknown; completed_at: Date; seconds: number | null };

/** What the public sees of a pair's exchanges that were completed by `until`. */
export async function readPairActivity(
  { database }: Pick<ReadParts, "database">,
  { from, to }: Pair,
  until: Date,
): Promise<PairActivity> {
  const since = new Date(until.getTime() - SINCE_MS);
  const [{ rows }, known] = await Promise.all([
    sql<Row>`
      select last.snapshot, last.completed_at,
        extract(epoch from last.completed_at - first_deposit.detected_at)::double precision as seconds
      from (
        select id, snapshot, completed_at from orders
        where from_slug = ${from} and to_slug = ${to} and completed_at > ${since} and completed_at <= ${until}
        order by completed_at desc limit ${EXCHANGES}
      ) last
      left join lateral (select min(detected_at) as detected_at from deposits where order_id = last.id) first_deposit on true
      order by last.completed_at desc`.execute(database.kysely),
    database.kysely
      .selectFrom("completed_pairs")
      .select("count")
      .where("from_slug", "=", from)
      .where("to_slug", "=", to)
      .executeTakeFirst(),
  ]);
  const completed = rows.flatMap(({ snapshot, completed_at, seconds }) => {
    const state = decodeState(snapshot);
    return state.kind === "completed" ? [{ state, seconds, completedAt: completed_at }] : [];
  });
  return {
    isAskedFor: (known?.count ?? 0n) >= BigInt(ASKED_FOR_EXCHANGES),
    latest: completed.slice(0, LATEST_SHOWN).map(shown),
    statistics: pairStatistics(completed),
  };
}

function shown({ state, completedAt }: CompletedExchange & { completedAt: Date }): PairActivity["latest"][number] {
  const { terms, payout } = state;
  return {
    amountFrom: formatAmount(roundedAmount(payout.received), terms.from.decimals),
    amountTo: formatAmount(roundedAmount(payout.amount), terms.to.decimals),
    completedAt: wholeMinute(completedAt).toISOString(),
  };
}

/** The pairs that customers ask for, those of the newest exchange first. */
export async function readAskedPairs({ database }: Pick<ReadParts, "database">): Promise<AskedPair[]> {
  const { rows } = await sql<Pair & { last_completed_at: Date }>`
    select from_slug as "from", to_slug as "to", last_completed_at from completed_pairs
    where count >= ${sql.lit(ASKED_FOR_EXCHANGES)} order by last_completed_at desc limit ${MAX_ASKED}`.execute(
    database.kysely,
  );
  return rows.map(({ from, to, last_completed_at }) => ({
    from,
    to,
    lastAt: wholeMinute(last_completed_at).toISOString(),
  }));
}
