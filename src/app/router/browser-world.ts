import type { RedirectRule } from "#contract/site.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { browserApi } from "../../shared/http/http.ts";
import type { Translator } from "../../shared/i18n/translator.ts";
import { account, isAuthorised } from "../../shared/account/account.ts";
import { isInMessenger } from "../../telegram/sdk/shell.ts";
import type { AccountSeam, GuardWorld } from "../guards/guard.ts";
import { referralCookie } from "../guards/referral.ts";

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
  refresh: async () => (await import("../../telegram/shell/sign-in.ts")).fetchAccount(browserApi),
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
