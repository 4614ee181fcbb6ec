import { subscribeKey } from "valtio/utils";
import { navigate } from "wouter/use-browser-location";
import { account } from "../../shared/account/account.ts";
import { accessToken } from "../../shared/http/access-token.ts";
import { nextPath } from "./next-path.ts";

/** Once Telegram's own sign-in has succeeded, opens the page that lk-redirect was asked for (contract §4). Returns what stops it. */
export function followRequestedPage(): () => void {
  const follow = () => {
    const query = new URLSearchParams(location.search);
    const next = query.has("login") ? nextPath(query) : null;
    // Data that was only restored opens nothing: the page's calls would be a guest's.
    if (next === null || accessToken() === null || account.data === null) return;
    navigate(next, { replace: true });
  };
  return subscribeKey(account, "fetchedAt", follow, true);
}
