import type { SiteSettings } from "#contract/ssr.ts";
import { account, isAuthorised } from "../shared/account/account.ts";
import { startAnalytics, track } from "../shared/analytics/track.ts";
import { atRest } from "../shared/page/at-rest.ts";
import { isTelegram } from "../telegram/is-telegram.ts";
import type { PageView } from "./router/page-view.ts";

/** Records where the visit came from and, where it is configured, switches analytics on (spec §3, §9); once the page is at rest. */
export async function startTracking({ isAnalyticsOn }: SiteSettings): Promise<void> {
  const landingUrl = location.href;
  await atRest();
  const { recordPageView, sessionId } = await import("../shared/analytics/utm.ts");
  recordPageView(Date.now(), landingUrl);
  if (isAnalyticsOn)
    startAnalytics(sessionId(), () => (isAuthorised(account.data, isTelegram()) ? "registered" : "guest"));
}

/** A page that the reader opened. */
export const trackPageView = (view: PageView, locale: string): void =>
  track({ event: "page viewed", page: view.kind === "page" ? view.route.name : view.kind, locale });

/** The step of the exchange that an address opens. */
export function trackDestinationStep(search: string, locale: string): void {
  if (new URLSearchParams(search).get("step") === "destination") track({ event: "destination step opened", locale });
}
