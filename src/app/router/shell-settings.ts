import * as z from "zod/mini";
import { SANDBOX_TOKEN_META } from "#contract/headers.ts";
import { DEFAULT_SITE_SETTINGS } from "#contract/site/ssr.ts";
import { isOnline } from "../../shared/browser/connectivity.ts";
import { localStore, parseJson, readJson } from "../../shared/browser/storage.ts";
import { saveSite, type Site, SITE_KEY } from "./page-data.ts";

const siteSchema: z.ZodMiniType<Site> = z.object({
  isSandbox: z.boolean(),
  settings: z.object({
    connectivityUrl: z.url(),
    isSeoChecked: z.boolean(),
    isAnalyticsOn: z.boolean(),
    partnerCode: z.nullable(z.string()),
    miniAppUrl: z.nullable(z.string()),
    sourceUrl: z.nullable(z.string()),
    isCardTaken: z.boolean(),
    rateLockMinutes: z.int(),
  }),
});

/** What the offline shell knows of the site: what the last page that the server rendered on this device knew. */
export const shellSite = (): Site =>
  readJson(localStore, SITE_KEY, siteSchema) ?? { isSandbox: false, settings: DEFAULT_SITE_SETTINGS };

let isCurrent = false;

/**
 * Fetches for the offline shell what the site is like now, at once or when the network is back. Called again with each navigation, so
 * that a server which didn't answer is asked again. Returns the function that ends it.
 */
export function followSite(apply: (site: Site) => void): () => void {
  const ended = new AbortController();
  const refresh = async () => {
    try {
      const site = await fetchSite(ended.signal);
      if (ended.signal.aborted) return;
      ended.abort();
      isCurrent = true;
      saveSite(site);
      apply(site);
    } catch (error) {
      console.debug("the site's settings can't be fetched now", error);
    }
  };
  if (isCurrent) return () => undefined;
  addEventListener("online", () => void refresh(), { signal: ended.signal });
  if (isOnline()) void refresh();
  return () => ended.abort();
}

/** Every page says it: the home page is rendered once for all who ask for it together. */
async function fetchSite(signal: AbortSignal): Promise<Site> {
  const response = await fetch("/", { headers: { accept: "text/html" }, signal });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const site = parseJson(page.getElementById("page-data")?.textContent ?? "", siteSchema);
  if (site === null) throw new Error(`no settings in a page of status ${response.status}`);
  const token = page.querySelector(`meta[name=${SANDBOX_TOKEN_META}]`);
  if (token !== null) document.head.append(token);
  return site;
}
