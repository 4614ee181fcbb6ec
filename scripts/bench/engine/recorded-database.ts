import { Kysely, PostgresDialect } from "kysely";
import * as z from "zod";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import type { Schema } from "../../../server/db/schema.ts";
import { createLog } from "../../../server/base/log.ts";

/** What a query's plan reads: sequential scans and indexes. */
type PlanReads = { scannedTables: string[]; indexes: string[] };

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

type Plan = { "Node Type": string; "Relation Name"?: string; "Index Name"?: string; Plans?: Plan[] };

const planSchema: z.ZodType<Plan> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Index Name": z.string().optional(),
    Plans: z.array(planSchema).optional(),
  }),
);
const explainedSchema = z.array(z.object({ Plan: planSchema }));

/**
 * Reads the answer of `explain (format json)`.
 *
 * @internal Exported for its tests.
 */
export function readPlan(explained: unknown): PlanReads {
  const nodes = explainedSchema.parse(explained).flatMap(({ Plan }) => withParts(Plan));
  return {
    scannedTables: nodes
      .filter((node) => node["Node Type"].endsWith("Seq Scan"))
      .flatMap((node) => node["Relation Name"] ?? []),
    indexes: nodes.flatMap((node) => node["Index Name"] ?? []),
  };
}

const withParts = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(withParts)];
