import type { Api } from "#contract/ssr.ts";
import { account } from "../../shared/account/account.ts";
import { fetchAccount, resetAccount, restoreAccount } from "../../shared/account/account-store.ts";
import { setAccessToken, onSessionEnd } from "../../shared/http/access-token.ts";
import { CallError, isUnreachable } from "../../shared/http/call-error.ts";
import { setRenewal } from "../../shared/http/session.ts";
import { addOverlay } from "../../shared/page/overlays.tsx";
import { LoginDialog } from "./login-dialog.tsx";

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
      setAccessToken((await authenticate(initData, api)).accessToken);
      await fetchAccount(api);
    } catch (error) {
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
      account.showLoginDialog = true;
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
  onSessionEnd(() => {
    // A token that is rejected as soon as it is issued would be requested in a loop.
    if (isTrying) return;
    resetAccount();
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
