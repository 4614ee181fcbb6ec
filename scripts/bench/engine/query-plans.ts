import * as z from "zod";

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

/** What a query's plan reads: sequential scans and indexes. */
export type PlanReads = { scannedTables: string[]; indexes: string[] };

/** Reads what `explain (format json)` answers. */
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
