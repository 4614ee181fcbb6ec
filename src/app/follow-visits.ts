import type { SiteSettings } from "#contract/site-settings.ts";
import { account, isAuthorised } from "../shared/account/account.ts";
import { startAnalytics, track } from "../shared/analytics/track.ts";
import { isInMessenger } from "../telegram/sdk/shell.ts";
import type { Shown } from "./router/resolve.ts";

/** Records where the visit came from and, where it is configured, switches analytics on (spec §3, §9). */
export async function followVisits({ isAnalyticsOn }: SiteSettings): Promise<void> {
  const { recordVisit, sessionId } = await import("../shared/analytics/visit.ts");
  recordVisit();
  if (isAnalyticsOn)
    startAnalytics(sessionId(), () => (isAuthorised(account.data, isInMessenger()) ? "registered" : "guest"));
}

/** One page that a reader came to. */
export const trackPage = (shown: Shown, locale: string): void =>
  track({ event: "page viewed", page: shown.kind === "page" ? shown.route.name : shown.kind, locale });

/** The step of the exchange that an address opens. */
export function trackStep(search: string, locale: string): void {
  if (new URLSearchParams(search).get("step") === "destination") track({ event: "destination step opened", locale });
}
