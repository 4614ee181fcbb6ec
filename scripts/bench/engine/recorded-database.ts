import type pg from "pg";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { readsOf, type TableRead } from "./query-reads.ts";

/** A query as the code sent it, and what its plan read at that moment. */
export type RecordedQuery = { sql: string; values: unknown[]; reads: TableRead[] };

export type RecordedDatabase = {
  database: Database;
  /** The queries that `work` makes, in their order. */
  queriesOf(work: () => Promise<unknown>): Promise<RecordedQuery[]>;
};

const CONNECTIONS = 8;
const EXPLAINED = /^\s*(select|insert|update|delete|with)\b/i;
type Query = string | { text: string; values?: unknown[] };
type Run = (query: Query, values?: unknown[]) => Promise<pg.QueryResult>;

/**
 * A database that explains each query just before it runs, on its connection and in its transaction, and takes back what that did: so
 * the plans are of the code as it is, with the rows and parameters that it met.
 */
export function openRecordedDatabase(resources: AsyncDisposableStack, url: string): RecordedDatabase {
  const database = openDatabase(url, {
    max: CONNECTIONS,
    log: createLog({ level: "error" }),
    applicationName: "wherry-bench",
    limits: { statement_timeout: 0, query_timeout: 0 },
  });
  resources.defer(() => database.close());
  let recorded: RecordedQuery[] | null = null;
  database.pool.on("connect", (client) => {
    explainQueries(
      client,
      (query) => recorded?.push(query),
      () => recorded !== null,
    );
  });
  // The pool's own calls back, which the connections here don't.
  Object.assign(database.pool, {
    query: async (query: Query, values?: unknown[]) => {
      const client = await database.pool.connect();
      try {
        return await (client.query as Run)(query, values);
      } finally {
        client.release();
      }
    },
  });
  return {
    database,
    async queriesOf(work) {
      const queries: RecordedQuery[] = [];
      recorded = queries;
      try {
        await work();
      } finally {
        recorded = null;
      }
      return queries;
    },
  };
}

function explainQueries(
  client: pg.PoolClient,
  record: (query: RecordedQuery) => void,
  isRecording: () => boolean,
): void {
  const run: Run = client.query.bind(client) as Run;
  let isInTransaction = false;
  const explain = async (text: string, values: unknown[]) => {
    await run(isInTransaction ? "savepoint explained" : "begin");
    try {
      const { rows } = await run(`explain (analyze, timing off, summary off, format json) ${text}`, values);
      record({ sql: text, values, reads: readsOf(rows[0]?.["QUERY PLAN"]) });
    } finally {
      await run(isInTransaction ? "rollback to savepoint explained" : "rollback");
    }
  };
  const query: Run = async (asked, given) => {
    const text = typeof asked === "string" ? asked : asked.text;
    const values = typeof asked === "string" ? given : asked.values;
    if (isRecording() && EXPLAINED.test(text)) await explain(text, [...(values ?? [])]);
    if (/^\s*(begin|start transaction)\b/i.test(text)) isInTransaction = true;
    if (/^\s*(commit|rollback)\s*;?\s*$/i.test(text)) isInTransaction = false;
    return run(asked, given);
  };
  Object.assign(client, { query });
}
