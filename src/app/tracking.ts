import type { SiteSettings } from "#contract/site/ssr.ts";
import { account, isAuthorised } from "../shared/account/account.ts";
import { startAnalytics } from "../shared/analytics/track.ts";
import { recordPageView, sessionId } from "../shared/analytics/utm.ts";
import { isTelegram } from "../telegram/is-telegram.ts";

/** Records where the visit came from, and switches analytics on where it is configured (spec §3, §9). */
export function recordVisit({ isAnalyticsOn }: SiteSettings, landingUrl: string): void {
  recordPageView(Date.now(), landingUrl);
  if (isAnalyticsOn)
    startAnalytics(sessionId(), () => (isAuthorised(account.data, isTelegram()) ? "registered" : "guest"));
}
