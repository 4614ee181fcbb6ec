import { splitLocale } from "#contract/locale.ts";
import type { RedirectRule } from "#contract/site/site.ts";
import type { SiteSettings } from "#contract/site/ssr.ts";
import { browserApi } from "../../shared/http/http.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { account, isAuthorised } from "../../shared/account/account.ts";
import { isTelegram } from "../../telegram/is-telegram.ts";
import type { GuardAccount, GuardContext } from "../guards/guard.ts";
import { referralCookie } from "../../shared/browser/referral.ts";
import type { Resolution } from "./page-view.ts";
import { resolve } from "./resolve.ts";

const seoFetchedAt = new Map<string, number>();
let redirects: Promise<readonly RedirectRule[]> | null = null;

/** Resolves a URL in the browser; `requested` has path, query and hash. */
export async function resolveInBrowser(requested: string, i18n: I18n, settings: SiteSettings): Promise<Resolution> {
  if (!account.isKnown) await (await import("../account/session.ts")).startSession(i18n);
  const resolution = await resolve(requested, browserContext(i18n, settings));
  if (resolution.kind === "redirect" && isLogin(resolution.to)) void openLoginOf(resolution.to, i18n);
  return resolution;
}

/** What lk-redirect leads to: the home page may be on screen already, so the dialog opens here. */
function isLogin(to: string): boolean {
  const [path = "", query = ""] = to.split("?");
  return splitLocale(path).path === "/" && query.startsWith("login&");
}

async function openLoginOf(to: string, i18n: I18n): Promise<void> {
  const { openLogin } = await import("../account/open-auth.tsx");
  await openLogin(i18n, new URLSearchParams(to.slice(to.indexOf("?"))));
}

/** The guards' context in the browser; SEO texts and redirects are fetched once per page load. */
const browserContext = (i18n: I18n, { isSeoChecked }: SiteSettings): GuardContext => ({
  api: browserApi,
  i18n,
  account: guardAccount(),
  now: Date.now(),
  isMiniApp: isTelegram(),
  isSeoChecked,
  storeReferral: (referral) => {
    document.cookie = referralCookie(referral, location.protocol === "https:");
  },
  redirects: fetchRedirects,
  seoFetchedAt,
});

const guardAccount = (): GuardAccount => ({
  isAuthorised: account.isUnavailable || isAuthorised(account.data, isTelegram()),
  fetchedAt: account.fetchedAt,
  refresh: async () => (await import("../../shared/account/account-store.ts")).fetchAccount(browserApi),
});

/** Fetched once; after a failure the next navigation fetches again. */
async function fetchRedirects(): Promise<readonly RedirectRule[]> {
  redirects ??= browserApi.call("redirects");
  try {
    return await redirects;
  } catch (error) {
    redirects = null;
    throw error;
  }
}
