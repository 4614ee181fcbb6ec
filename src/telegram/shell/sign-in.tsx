import type { Api } from "#contract/site/ssr.ts";
import { account } from "../../shared/account/account.ts";
import { fetchAccount, resetAccount, restoreAccount } from "../../shared/account/account-store.ts";
import { setAccessToken, onSessionEnd } from "../../shared/http/access-token.ts";
import { CallError, isUnreachable } from "../../shared/http/call-error.ts";
import { setRenewal, waitForSignIn } from "../../shared/http/session.ts";
import { addOverlay } from "../../shared/page/overlays.tsx";
import { LoginDialog } from "./login-dialog.tsx";

let stopFollowing: (() => void) | null = null;

/**
 * Signs the Telegram user in, at launch and when the server rejects the session's token. Where that fails the user is a
 * guest, and the login dialog asks what to do (spec §4).
 */
export async function startSignIn(initData: string, api: Api): Promise<void> {
  restoreAccount();
  let close: (() => void) | null = null;
  let isTrying = false;
  const attempt = async () => {
    isTrying = true;
    try {
      const authentication = authenticate(initData, api);
      waitForSignIn(authentication);
      setAccessToken((await authentication).accessToken);
      await fetchAccount(api);
    } catch (error) {
      // First: a page of the profile that finds neither a person nor a dialog leads home, and what was typed on it is lost.
      account.showLoginDialog = true;
      resetAccount();
      console.warn("the Telegram user could not be signed in", error);
      throw error;
    } finally {
      isTrying = false;
    }
  };
  const attemptOrAsk = async () => {
    try {
      await attempt();
    } catch (error) {
      close?.();
      close = addOverlay(<LoginDialog error={error} onRetry={attempt} onClose={() => close?.()} />);
    }
  };
  setRenewal(async () => {
    try {
      setAccessToken((await authenticate(initData, api)).accessToken);
      return true;
    } catch (error) {
      if (isUnreachable(error)) throw error;
      console.warn("the Telegram session could not be renewed", error);
      return false;
    }
  });
  stopFollowing?.();
  stopFollowing = onSessionEnd(() => {
    // A token that is rejected as soon as it is issued would be requested in a loop.
    if (isTrying) return;
    // The person stays known meanwhile, so that their page keeps its forms.
    void attemptOrAsk();
  });
  await attemptOrAsk();
}

/** Makes the account where there is none (contract §4). */
async function authenticate(initData: string, api: Api): Promise<{ accessToken: string }> {
  const body = { initData };
  try {
    return await api.call("authenticateByTelegram", { body });
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== "ERR_NOT_FOUND") throw error;
    return api.call("createByTelegram", { body });
  }
}
