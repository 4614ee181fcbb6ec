/** What a page is told by the server's configuration. */
export type SiteSettings = {
  /** Answers a DNS-over-HTTPS query where there is internet (spec §4, health check cycle). */
  readonly connectivityUrl: string;
  /** Guard 5 fails the page when SEO texts are missing or unreadable. */
  readonly isSeoChecked: boolean;
  readonly isAnalyticsOn: boolean;
  /** The partner whose visitors are asked for an email in mode B (spec §4, exchange flow); null without one. */
  readonly partnerCode: string | null;
  /** The mini-app in the messenger, and where the source can be read: no link leads there without them. */
  readonly miniAppUrl: string | null;
  readonly sourceUrl: string | null;
};

export const DEFAULT_SITE_SETTINGS: SiteSettings = {
  connectivityUrl: "https://cloudflare-dns.com/dns-query?name=example.com",
  isSeoChecked: false,
  isAnalyticsOn: false,
  partnerCode: null,
  miniAppUrl: null,
  sourceUrl: null,
};
