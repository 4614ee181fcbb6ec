import type { RedirectRule } from "#contract/site.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { browserApi } from "../lib/http.ts";
import type { Translator } from "../lib/i18n/translator.ts";
import { account, isAuthorised } from "../lib/account.ts";
import { isInMessenger } from "../platform/messenger/shell.ts";
import type { AccountSeam, GuardWorld } from "./guards/guard.ts";
import { referralCookie } from "./guards/referral.ts";

const seoFetchedAt = new Map<string, number>();
let redirects: Promise<readonly RedirectRule[]> | null = null;

/** What guards use of the browser; what was fetched once serves as long as the page lives. */
export const browserWorld = (words: Translator, { isSeoChecked }: SiteSettings): GuardWorld => ({
  api: browserApi,
  words,
  account: accountSeam(),
  now: Date.now(),
  isMiniApp: isInMessenger(),
  isSeoChecked,
  keepReferral: (referral) => {
    document.cookie = referralCookie(referral, location.protocol === "https:");
  },
  redirects: askRedirects,
  seoFetchedAt,
});

const accountSeam = (): AccountSeam => ({
  isAuthorised: isAuthorised(account.data, isInMessenger()),
  fetchedAt: account.fetchedAt,
  refresh: async () => (await import("./messenger/sign-in.ts")).fetchAccount(browserApi),
});

/** Asked once; after a failure the next move asks again. */
async function askRedirects(): Promise<readonly RedirectRule[]> {
  redirects ??= browserApi.call("redirects");
  try {
    return await redirects;
  } catch (error) {
    redirects = null;
    throw error;
  }
}
