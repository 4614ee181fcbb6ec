import type { SiteSettings } from "#contract/site/ssr.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import type { Resolution } from "./page-view.ts";

/** Resolves the current URL; the code for it, guards included, comes with the first navigation. */
export async function resolveCurrent(i18n: I18n, settings: SiteSettings): Promise<Resolution> {
  const requested = location.pathname + location.search + location.hash;
  try {
    const { resolveInBrowser } = await import("./browser-context.ts");
    return await resolveInBrowser(requested, i18n, settings);
  } catch (error) {
    return { kind: "failed", error };
  }
}
