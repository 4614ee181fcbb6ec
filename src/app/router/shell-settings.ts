import * as z from "zod/mini";
import { DEFAULT_SITE_SETTINGS, type SiteSettings } from "#contract/site/ssr.ts";
import { localStore, readJson } from "../../shared/browser/storage.ts";
import { RATE_LOCK_KEY } from "./page-data.ts";

/** The settings of the offline shell: it asks nobody, and names the rate lock of the last page that the server rendered. */
export function shellSettings(): SiteSettings {
  const rateLockMinutes = readJson(localStore, RATE_LOCK_KEY, z.int());
  return { ...DEFAULT_SITE_SETTINGS, ...(rateLockMinutes !== null && { rateLockMinutes }) };
}
