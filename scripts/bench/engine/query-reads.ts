import * as z from "zod";

/**
 * One place where a plan reads a table. `rows`: how many it looked at, also those that a filter removed, over all `loops`, the times
 * that it began anew.
 */
export type TableRead = { node: string; table: string; index: string | null; rows: number; loops: number };

type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Plan[];
};

const count = z.number().optional();
const planSchema: z.ZodType<Plan> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Index Name": z.string().optional(),
    "Actual Rows": count,
    "Actual Loops": count,
    "Rows Removed by Filter": count,
    "Rows Removed by Index Recheck": count,
    Plans: z.array(planSchema).optional(),
  }),
);
const explainedSchema = z.array(z.object({ Plan: planSchema }));

/** Reads the answer of `explain (analyze, format json)`; a table that is only written is not read. */
export function readsOf(explained: unknown): TableRead[] {
  return explainedSchema
    .parse(explained)
    .flatMap(({ Plan }) => withParts(Plan))
    .filter((plan) => plan["Relation Name"] !== undefined && plan["Node Type"].endsWith("Scan"))
    .map((plan) => ({
      node: plan["Node Type"],
      table: plan["Relation Name"] ?? "",
      index: indexOf(plan),
      rows: Math.round(
        ((plan["Actual Rows"] ?? 0) +
          (plan["Rows Removed by Filter"] ?? 0) +
          (plan["Rows Removed by Index Recheck"] ?? 0)) *
          (plan["Actual Loops"] ?? 1),
      ),
      loops: plan["Actual Loops"] ?? 1,
    }));
}

/** A bitmap's indexes are below it. */
const indexOf = (plan: Plan): string | null =>
  [
    ...new Set(
      (plan["Node Type"] === "Bitmap Heap Scan" ? withParts(plan) : [plan]).flatMap((one) => one["Index Name"] ?? []),
    ),
  ].join(" + ") || null;

const withParts = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(withParts)];
