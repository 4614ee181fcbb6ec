import type { Database } from "../../../server/db/database.ts";
import type { TableRead } from "./query-reads.ts";
import type { RecordedDatabase, RecordedQuery } from "./recorded-database.ts";
import type { Work } from "./recurring-work.ts";

/** What one query read at most, in the small and in the large database. */
export type CheckedQuery = {
  work: string;
  sql: string;
  values: unknown[];
  reads: TableRead[];
  small: number;
  large: number;
  faults: string[];
};

type Side = Pick<RecordedDatabase, "queriesOf"> & { database: Database; work: readonly Work[] };

/** Rows that a query may read beyond twice those of the small database: what is active differs a little between two runs. */
const ALLOWANCE = 200;
/** A table grows that has this many times the rows in the large database. */
const GROWTH = 3;

/**
 * Runs the same work over two databases whose active rows are alike and whose finished ones are not, and compares what each query reads.
 * A query is at fault that scans a table which grows, or that reads more where more is finished (engine law 17).
 */
export async function checkPlans(small: Side, large: Side): Promise<CheckedQuery[]> {
  const sizes = { small: await countRows(small.database), large: await countRows(large.database) };
  const growing = growingTables(sizes.small, sizes.large);
  // Whether a small table is read by its index or whole is the planner's choice: once through it, with what the work has just added, is no growth.
  const follows = ({ table, rows, loops }: TableRead): boolean =>
    growing.has(table) || (loops > 1 && rows > (sizes.large.get(table) ?? 0));
  const [few, many] = [await readsOfWork(small), await readsOfWork(large)];
  return [...many].map(([key, { work, sql, values, reads }]) => {
    const before = few.get(key)?.reads ?? [];
    const rows = { small: rowsOf(before), large: rowsOf(reads) };
    const followed = { small: rowsOf(before.filter(follows)), large: rowsOf(reads.filter(follows)) };
    const scanned = reads.filter(({ node, table }) => node.endsWith("Seq Scan") && growing.has(table));
    const faults = [
      ...new Set(scanned.map(({ table }) => `scans ${table}`)),
      ...(followed.large > 2 * followed.small + ALLOWANCE
        ? [`reads ${followed.large} rows instead of ${followed.small}`]
        : []),
    ];
    return { work, sql, values, reads, ...rows, faults };
  });
}

const rowsOf = (reads: readonly TableRead[]): number => reads.reduce((sum, { rows }) => sum + rows, 0);

/** By work and query; of a query that ran several times, the one that read most. */
async function readsOfWork({ work, queriesOf }: Side): Promise<Map<string, RecordedQuery & { work: string }>> {
  const found = new Map<string, RecordedQuery & { work: string }>();
  for (const { name, run } of work) {
    for (const query of await queriesOf(run)) {
      const key = `${name}\n${query.sql}`;
      const known = found.get(key);
      if (known === undefined || rowsOf(query.reads) > rowsOf(known.reads)) found.set(key, { work: name, ...query });
    }
  }
  return found;
}

export function growingTables(
  small: ReadonlyMap<string, number>,
  large: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  return new Set(
    [...large].flatMap(([table, rows]) => (rows >= GROWTH * Math.max(100, small.get(table) ?? 0) ? [table] : [])),
  );
}

export async function countRows({ pool }: Database): Promise<Map<string, number>> {
  const { rows: tables } = await pool.query<{ name: string }>("select relname as name from pg_stat_user_tables");
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from "${name}"`);
    counts.set(name, rows[0]?.count ?? 0);
  }
  return counts;
}

/** A line for each query: its work, how it reads, and how many rows. */
export const describeQuery = ({ work, sql, reads, small, large, faults }: CheckedQuery): string => {
  const plan = reads.map(({ node, table, index, rows }) => `${node} ${index ?? table} (${rows})`).join(", ");
  const text = sql.replaceAll(/\s+/g, " ").trim().slice(0, 100);
  const fault = faults.length === 0 ? "" : `\n    FAULT: ${faults.join(", ")}`;
  return `${work} | ${text} | ${plan === "" ? "reads no table" : plan} | ${small} → ${large}${fault}`;
};
