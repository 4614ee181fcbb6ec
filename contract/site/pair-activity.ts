import * as z from "zod/mini";
import { decimalSchema, isoTimeSchema, slugSchema } from "../fields.ts";

export const pairActivityQuerySchema = z.object({ instrumentFromSlug: slugSchema, instrumentToSlug: slugSchema });

/** Over the last exchanges of a pair; none of it is made from fewer than 20. */
const pairStatisticsSchema = z.object({
  /** The exchanges that it is made from. */
  exchanges: z.int(),
  /** Median time from the first detection of the deposit to the completed payout, in whole minutes. */
  medianSeconds: z.nullable(z.int()),
  /**
   * How what was delivered differs from what was quoted at creation, where the deposit was the amount agreed: its median in percent
   * (below zero: less was delivered), and the share of exchanges that delivered what was quoted or more.
   */
  delivered: z.nullable(
    z.object({
      exchanges: z.int(),
      medianDifference: z.string().check(z.regex(/^-?(?:0|[1-9]\d*)(?:\.\d{1,2})?$/)),
      atLeastQuotedShare: z.number().check(z.minimum(0), z.maximum(1)),
    }),
  ),
});
export type PairStatistics = z.infer<typeof pairStatisticsSchema>;

export const pairActivitySchema = z.object({
  /** Customers have exchanged it often enough that search engines may keep its page. */
  isAskedFor: z.boolean(),
  /** Rounded amounts and minutes, without ids and addresses. */
  latest: z.array(z.object({ amountFrom: decimalSchema, amountTo: decimalSchema, completedAt: isoTimeSchema })),
  /** Null where too few exchanges are known. */
  statistics: z.nullable(pairStatisticsSchema),
});
export type PairActivity = z.infer<typeof pairActivitySchema>;

export const askedPairsSchema = z.array(z.object({ from: slugSchema, to: slugSchema, lastAt: isoTimeSchema }));
