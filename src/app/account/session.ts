import { subscribe } from "valtio";
import { account, isAuthorised } from "../../shared/account/account.ts";
import { fetchAccount, followOtherTabs, resetAccount, restoreAccount } from "../../shared/account/account-store.ts";
import { localStore } from "../../shared/browser/storage.ts";
import { answerSignInRequests } from "../../shared/account/sign-in-request.ts";
import { onRenewal, onSessionEnd } from "../../shared/http/access-token.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { browserApi } from "../../shared/http/http.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { isTelegram } from "../../telegram/is-telegram.ts";
import { needsAccountRefresh } from "../guards/account-refresh.ts";
import { readPageData } from "../router/page-data.ts";
import { parseLocation } from "../router/page-location.ts";
import { matchRoute } from "../router/route-table.ts";

/** Who was signed in last, also after the end of their session. */
const PERSON_KEY = "wherry-account-last";

let started: Promise<void> | null = null;
/** The page was rendered for somebody who is signed in. */
let isRendered = false;

/** Learns once who is signed in, and follows what becomes of the session from then on. */
export function startSession(i18n: I18n): Promise<void> {
  started ??= run(i18n);
  return started;
}

async function run(i18n: I18n): Promise<void> {
  // spec §4: a renewed session brings its account data anew.
  onRenewal(() => void refresh());
  subscribe(account, () => void noticePerson());
  answerSignInRequests(async (dialog) => (await import("./open-auth.tsx")).askSignIn(i18n, dialog));
  // Telegram's launch signs in by itself.
  if (isTelegram()) return;
  let ending: Promise<void> | null = null;
  onSessionEnd(() => {
    ending = tellThatItEnded(i18n);
  });
  openOnPress(i18n);
  const query = new URLSearchParams(location.search);
  if (query.has("login")) void showLogin(i18n, query);
  isRendered = readPageData()?.isSignedIn ?? false;
  restoreAccount();
  followOtherTabs(() => location.reload());
  if (isDue()) await refresh();
  // The dialog that says so is what the page goes on with.
  if (ending !== null) return ending;
  // What was rendered for somebody is ended by a 401 or 418 alone.
  account.isUnavailable = account.data === null && isRendered;
  account.isKnown = !account.isUnavailable;
}

/** What the page and the device say of the account must agree: where they differ, the service is asked. */
function isDue(): boolean {
  const isKept = isAuthorised(account.data, false);
  if (isKept !== isRendered) return true;
  const { path } = parseLocation(location.pathname);
  const routeName = matchRoute(path)?.route.name ?? "";
  return needsAccountRefresh({ isAuthorised: isKept, fetchedAt: account.fetchedAt, now: Date.now(), routeName });
}

/** The session of another person may have ended on this device without a sign-out: what they left goes once somebody else signs in. */
async function noticePerson(): Promise<void> {
  const userId = account.data?.userId ?? 0;
  if (userId === 0) return;
  const before = Number(localStore.get(PERSON_KEY) ?? userId);
  localStore.set(PERSON_KEY, String(userId));
  if (before !== userId) await (await import("./log-out.ts")).forgetPerson({ userId: before, email: null });
}

/** Without an answer what is known stays. */
async function refresh(): Promise<void> {
  try {
    await fetchAccount(browserApi);
  } catch (error) {
    const log = error instanceof CallError ? console.debug : console.error;
    log("account data can't be fetched now", error);
  }
}

const showLogin = async (i18n: I18n, query?: URLSearchParams): Promise<void> =>
  (await import("./open-auth.tsx")).openLogin(i18n, query);

/** The header's entry opens the dialog over the page, which keeps what was typed into it; until this runs it is a plain link. */
function openOnPress(i18n: I18n): void {
  const open = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("[data-sign-in]") : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void showLogin(i18n);
  };
  document.addEventListener("click", open, { capture: true });
}

/** contract §8: the person reads why, and what they were doing waits for them. A guest has nothing that could end. */
async function tellThatItEnded(i18n: I18n): Promise<void> {
  const wasSignedIn = account.data !== null || isRendered;
  isRendered = false;
  if (!wasSignedIn) return resetAccount();
  try {
    await (await import("./open-auth.tsx")).openLogin(i18n, undefined, "ended");
  } catch (error) {
    console.warn("the login dialog can't be loaded", error);
    resetAccount();
  }
}
