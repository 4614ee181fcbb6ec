import type { Database } from "../../../server/db/database.ts";
import { countRows, growingTables, type CheckedQuery } from "./plan-check.ts";
import { readsOf } from "./query-reads.ts";

/** The rows of a large table that PostgreSQL takes for its statistics. */
const SAMPLE = 30_000;
/** The largest share of the rows in a state which such a sample may not meet. */
const RARE = 0.002;

/** The queries that would scan a table which grows, by the statistics as they are now. */
export async function scansOf(
  { small, large }: { small: Database; large: Database },
  queries: readonly CheckedQuery[],
): Promise<string[]> {
  const growing = growingTables(await countRows(small), await countRows(large));
  const found: string[] = [];
  for (const { work, sql, values } of queries)
    for (const table of await tablesScanned(large, sql, values))
      if (growing.has(table))
        found.push(`${work} | ${sql.replaceAll(/\s+/g, " ").trim().slice(0, 100)} | scans ${table}`);
  return found;
}

async function tablesScanned({ pool }: Database, sql: string, values: unknown[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ "QUERY PLAN": unknown }>(`explain (format json) ${sql}`, values);
  const reads = readsOf(rows[0]?.["QUERY PLAN"]);
  return new Set(reads.flatMap(({ node, table }) => (node.endsWith("Seq Scan") ? [table] : [])));
}

/**
 * Gives each table of which nearly all rows are in a few states the statistics of a sample that met no other row, and whose shares make a
 * little more than all of it as they are rounded: about every sixth sample of a large table. Returns the tables.
 *
 * @internal Exported for its tests.
 */
export async function missRareStates({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ table: string; values: string[]; shares: number[] }>(`
    select tablename as table, most_common_vals::text::text[] as values, most_common_freqs as shares from pg_stats
    where schemaname = 'public' and attname = 'state' and most_common_vals is not null`);
  const changed: string[] = [];
  for (const { table, values, shares } of rows) {
    const common = values.filter((_, at) => (shares[at] ?? 0) > RARE);
    const seen = sharesAboveAll(shares.filter((share) => share > RARE));
    if (seen === null) continue;
    await pool.query(
      `select pg_restore_attribute_stats('schemaname', 'public', 'relname', $1::text, 'attname', 'state', 'inherited', false,
        'null_frac', 0::real, 'avg_width', 10, 'n_distinct', $2::real, 'most_common_vals', $3::text, 'most_common_freqs', $4::real[])`,
      [table, common.length, `{${common.join(",")}}`, seen],
    );
    changed.push(table);
  }
  return changed;
}

/** Nearly the same shares of a whole sample, whose sum is above 1 in the precision in which they are stored; null of a single one. */
function sharesAboveAll(shares: readonly number[]): number[] | null {
  if (shares.length < 2) return null;
  for (let moved = 0; moved < SAMPLE / 100; moved += 1) {
    const counts = shares.map((share, at) => Math.round(share * SAMPLE) + (at === 0 ? 0 : moved + at));
    counts[0] = SAMPLE - counts.slice(1).reduce((sum, count) => sum + count, 0);
    const seen = counts.map((count) => Math.fround(count / SAMPLE));
    if (seen.reduce((sum, share) => sum + share, 0) > 1) return seen;
  }
  throw new Error("no shares of a sample make more than all of it");
}
