import * as z from "zod/mini";
import { fitsUtmData } from "./utm-limit.ts";

const text = z.optional(z.nullable(z.string().check(z.maxLength(512))));

/** The UTM record of spec §3, each part of which may be missing; what it does not name is dropped. */
export const utmDataSchema = z
  .object({
    timestamp: z.optional(z.nullable(z.union([z.number(), z.string().check(z.maxLength(64))]))),
    utmParams: z.optional(
      z.nullable(z.object({ source: text, medium: text, campaign: text, term: text, content: text })),
    ),
    additionalInfo: z.optional(
      z.nullable(z.object({ referrer: text, userAgent: text, language: text, landingUrl: text, screenSize: text })),
    ),
    sessionId: text,
    gclid: text,
    gad_source: text,
  })
  .check(z.refine(fitsUtmData, "must have at most 2 KB"));
