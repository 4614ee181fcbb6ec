import * as z from "zod/mini";

const MAX_BYTES = 2_048;

/** Whether a UTM record is small enough for an order to keep: 2 KB of JSON. */
export const fitsUtmData = (record: object): boolean =>
  new TextEncoder().encode(JSON.stringify(record)).byteLength <= MAX_BYTES;

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
