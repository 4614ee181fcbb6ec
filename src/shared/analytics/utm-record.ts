import * as z from "zod/mini";
import { fitsUtmData } from "#contract/utm-limit.ts";
import { localStore, readJson } from "../browser/storage.ts";
import { UTM_KEY } from "./utm.ts";

const text = z.string().check(z.maxLength(512));

/** The UTM record of spec §3. */
const utmRecordSchema = z
  .object({
    timestamp: z.number(),
    utmParams: z.object({
      source: z.optional(text),
      medium: z.optional(text),
      campaign: z.optional(text),
      term: z.optional(text),
      content: z.optional(text),
    }),
    additionalInfo: z.object({
      referrer: text,
      userAgent: text,
      language: text,
      landingUrl: text,
      screenSize: text,
    }),
    sessionId: text,
    gclid: z.optional(text),
    gad_source: z.optional(text),
  })
  .check(z.refine(fitsUtmData));
type UtmRecord = z.output<typeof utmRecordSchema>;

/**
 * What an order is sent with as `utmData`; null before a visit was recorded. What isn't a record makes room for the
 * next visit's.
 */
export function readUtmRecord(): UtmRecord | null {
  const record = readJson(localStore, UTM_KEY, utmRecordSchema);
  if (record === null) localStore.remove(UTM_KEY);
  return record;
}
