import { subscribe } from "valtio";
import { useLocation, useSearch } from "wouter";
import { AuthDialogs } from "../../features/account/dialogs/auth-dialogs.tsx";
import type { AuthDialog } from "../../shared/account/auth-fields.ts";
import { auth, type LoginNote, openAuthDialog, useAuth } from "../../features/account/store.ts";
import { browserApi } from "../../shared/http/http.ts";
import { accessToken, endSession } from "../../shared/http/access-token.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { loadMessages } from "../../shared/i18n/messages.ts";
import { addOverlay } from "../../shared/page/overlays.tsx";
import { notify } from "../../shared/page/notifications.ts";
import { isTelegram } from "../../telegram/is-telegram.ts";
import { account } from "../../shared/account/account.ts";
import { resetAccount } from "../../shared/account/account-store.ts";
import { readPageData } from "../router/page-data.ts";
import { shellSite } from "../router/shell-settings.ts";
import { miniAppPage } from "./mini-app-page.ts";
import { nextPath } from "./next-path.ts";

let isMounted = false;

/** Opens the login dialog; `query` may name the page that it leads back to (contract §4). */
export const openLogin = (i18n: I18n, query?: URLSearchParams, note?: LoginNote): Promise<void> =>
  open(i18n, "login", query, note);

/** Opens a dialog over what somebody does as a guest. True once they are signed in; false where they left it. */
export async function askSignIn(i18n: I18n, dialog: AuthDialog): Promise<boolean> {
  await open(i18n, dialog);
  await new Promise<void>((resolve) => {
    const settle = () => {
      if (auth.dialog !== null) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = subscribe(auth, settle);
    settle();
  });
  return account.data !== null;
}

async function open(i18n: I18n, dialog: AuthDialog, query = new URLSearchParams(), note?: LoginNote): Promise<void> {
  // Telegram's own sign-in is tried first, and has a dialog of its own.
  if (isTelegram()) return endSession(accessToken());
  if (account.data !== null && note !== "ended") return;
  try {
    await loadMessages(i18n, ["account"]);
  } catch (error) {
    if (note === "ended") resetAccount();
    console.warn("the texts of the login dialog can't be loaded", error);
    return notify({ type: "error", message: i18n.t("part.failed") });
  }
  // Only now: a page of the profile that finds neither a person nor a dialog leads home, and what was typed on it is lost.
  if (note === "ended") resetAccount();
  const next = nextPath(query);
  const reason = note ?? (next === null ? undefined : "page");
  openAuthDialog(dialog, { ...(reason !== undefined && { note: reason }), ...(next !== null && { next }) });
  if (isMounted) return;
  isMounted = true;
  addOverlay(<AuthOverlay miniAppUrl={(readPageData() ?? shellSite()).settings.miniAppUrl} />);
}

/** The dialogs over whatever page is open. */
function AuthOverlay({ miniAppUrl }: { readonly miniAppUrl: string | null }) {
  const [path, navigate] = useLocation();
  const { next } = useAuth();
  const search = useSearch();
  const leave = (next: string | null) => {
    if (next !== null) navigate(`~${next}`, { replace: true });
    else if (new URLSearchParams(location.search).has("login")) navigate(path, { replace: true });
  };
  const onLeft = () => (path.startsWith("/profile") ? navigate("/", { replace: true }) : leave(null));
  const page = next ?? (search === "" ? path : `${path}?${search}`);
  const telegramUrl = miniAppPage(page, miniAppUrl);
  return <AuthDialogs api={browserApi} telegramUrl={telegramUrl} onSignedIn={leave} onLeft={onLeft} />;
}
