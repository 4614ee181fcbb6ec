import { Kysely, PostgresDialect } from "kysely";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import type { Schema } from "../../../server/db/schema.ts";
import { createLog } from "../../../server/base/log.ts";
import { readPlan, type PlanReads } from "./query-plans.ts";

export type RecordedDatabase = {
  database: Database;
  /** The plans of the distinct queries that `work` makes, as the planner sees them now. */
  plansOf(work: () => Promise<unknown>): Promise<PlanReads[]>;
};

type Query = { sql: string; parameters: readonly unknown[] };

const CONNECTIONS = 8;

/** A database whose queries can be listened to, so that the plans judged are those of the code as it is. */
export function openRecordedDatabase(resources: AsyncDisposableStack, url: string): RecordedDatabase {
  const opened = openDatabase(url, {
    max: CONNECTIONS,
    log: createLog({ level: "error" }),
    applicationName: "wherry-bench",
  });
  resources.defer(() => opened.close());
  let recorded: Map<string, Query> | null = null;
  const kysely = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: opened.pool }),
    log: ({ level, query: { sql, parameters } }) => {
      if (level === "query") recorded?.set(sql, { sql, parameters });
    },
  });
  return {
    database: { ...opened, kysely },
    async plansOf(work) {
      const queries = new Map<string, Query>();
      recorded = queries;
      await work();
      recorded = null;
      const plans: PlanReads[] = [];
      for (const { sql, parameters } of queries.values()) {
        if (!/^\s*(select|insert|update|delete|with)\b/i.test(sql)) continue;
        const { rows } = await opened.pool.query<{ "QUERY PLAN": unknown }>(`explain (format json) ${sql}`, [
          ...parameters,
        ]);
        plans.push(readPlan(rows[0]?.["QUERY PLAN"]));
      }
      return plans;
    },
  };
}
