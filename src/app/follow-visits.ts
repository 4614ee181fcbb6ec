import type { SiteSettings } from "#contract/site-settings.ts";
import { startAnalytics, track } from "../platform/analytics/track.ts";
import type { Shown } from "./resolve.ts";

/** Records where the visit came from and, where it is configured, switches analytics on (spec §3, §9). */
export async function followVisits({ isAnalyticsOn }: SiteSettings): Promise<void> {
  const { recordVisit, sessionId } = await import("../platform/analytics/visit.ts");
  recordVisit();
  // Accounts tell otherwise once there are any.
  if (isAnalyticsOn) startAnalytics(sessionId(), () => "guest");
}

/** One page that a reader came to. */
export const trackPage = (shown: Shown, locale: string): void =>
  track({ event: "page viewed", page: shown.kind === "page" ? shown.route.name : shown.kind, locale });

/** The step of the exchange that an address opens. */
export function trackStep(search: string, locale: string): void {
  if (new URLSearchParams(search).get("step") === "destination") track({ event: "destination step opened", locale });
}
