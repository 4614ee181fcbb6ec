import type { SiteSettings } from "#contract/site/ssr.ts";
import { track } from "../shared/analytics/track.ts";
import { atRest } from "../shared/page/at-rest.ts";
import type { PageView } from "./router/page-view.ts";

/** Begins what follows a visit, once the page is at rest. */
export async function startTracking(settings: SiteSettings): Promise<void> {
  const landingUrl = location.href;
  await atRest();
  (await import("./tracking.ts")).recordVisit(settings, landingUrl);
}

/** A page that the reader opened. */
export const trackPageView = (view: PageView, locale: string): void =>
  track({ event: "page viewed", page: view.kind === "page" ? view.route.name : view.kind, locale });

/** The step of the exchange that an address opens. */
export function trackDestinationStep(search: string, locale: string): void {
  if (new URLSearchParams(search).get("step") === "destination") track({ event: "destination step opened", locale });
}
