import type { RedirectRule, RedirectStatus } from "#contract/site/site.ts";
import type { Api } from "#contract/site/ssr.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import type { PageLocation } from "../router/page-location.ts";

/** One requested URL, on the server or inside the app. */
export type Navigation = PageLocation & {
  /** Path with its language prefix, query and hash, as requested. */
  readonly requested: string;
};

/** What guards see of the account; `guest` for a guest. */
export type GuardAccount = {
  readonly isAuthorised: boolean;
  /** When account data was last fetched, in milliseconds; null before the first time. */
  readonly fetchedAt: number | null;
  readonly refresh: () => Promise<void>;
};

/** What guards may use. */
export type GuardContext = {
  readonly api: Api;
  readonly i18n: I18n;
  readonly account: GuardAccount;
  /** Milliseconds. */
  readonly now: number;
  readonly isMiniApp: boolean;
  /** The meta-key check of spec §2, guard 5. */
  readonly isSeoChecked: boolean;
  readonly storeReferral: (referral: string) => void;
  readonly redirects: () => Promise<readonly RedirectRule[]>;
  /** When each page's SEO texts were fetched, for contexts that outlive a request. */
  readonly seoFetchedAt: Map<string, number>;
};

/** To a path with its language prefix, or to a whole URL. */
export type Redirect = { readonly kind: "redirect"; readonly to: string; readonly status: RedirectStatus };

/** Returns a redirect, or null to continue; a thrown error is fatal and shown as an error page. */
export type Guard = (navigation: Navigation, context: GuardContext) => Promise<Redirect | null>;

/** `to` has its language prefix, or is a whole URL. */
export const redirectTo = (to: string, status: RedirectStatus = 302): Redirect => ({ kind: "redirect", to, status });

/** The account of whoever is not signed in. */
export const guest: GuardAccount = { isAuthorised: false, fetchedAt: null, refresh: async () => undefined };
