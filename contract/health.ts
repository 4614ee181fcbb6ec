import * as z from "zod/mini";

const HEALTH_STATUSES = ["OK", "TECHNICAL_DIFFICULTIES", "UNHEALTHY"] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

export const healthSchema = z.object({ status: z.enum(HEALTH_STATUSES) });

/** Figures of the home page, null where there is no data yet (contract §2). */
export const statsSchema = z.object({
  ordersTotal: z.nullable(z.int()),
  orders24h: z.nullable(z.int()),
  /** Median time from the first detection of the deposit to the completed payout. */
  medianSeconds: z.nullable(z.number()),
  completedShare: z.nullable(z.number()),
  coins: z.nullable(z.int()),
  networks: z.nullable(z.int()),
});
export type Stats = z.infer<typeof statsSchema>;
