import { z } from "zod";

/** What a process asks of the one that it started. */
export const childRequestSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("stop") }),
  z.object({ kind: z.literal("metrics") }),
  z.object({ kind: z.literal("ping") }),
]);
export type ChildRequest = z.infer<typeof childRequestSchema>;

/** What that one reports; `text` is in Prometheus' format. */
export const childReportSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("pong") }),
  z.object({ kind: z.literal("metrics"), text: z.string() }),
]);
export type ChildReport = z.infer<typeof childReportSchema>;
