import type { Api } from "#contract/ssr.ts";
import { onSessionEnd } from "../../shared/http/access-token.ts";
import { account } from "../../shared/account/account.ts";
import { resetAccount, restoreAccount } from "../../shared/account/account-store.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { LoginDialog } from "./login-dialog.tsx";
import { overlay } from "./overlay.tsx";
import { signIn } from "./sign-in.ts";

/**
 * Signs Telegram's user in, at once and whenever the service takes the session's token no more. Where that fails there is a guest, whom the
 * login dialog asks what to do (spec §4).
 */
export async function enter(initData: string, api: Api, i18n: I18n): Promise<void> {
  restoreAccount();
  let close: (() => void) | null = null;
  let isTrying = false;
  const attempt = async () => {
    isTrying = true;
    try {
      await signIn(initData, api);
    } catch (error) {
      resetAccount();
      console.warn("Telegram's user could not be signed in", error);
      throw error;
    } finally {
      isTrying = false;
    }
  };
  const attemptOrAsk = async () => {
    try {
      await attempt();
    } catch (failure) {
      account.showLoginDialog = true;
      close?.();
      close = overlay(i18n, <LoginDialog failure={failure} onRetry={attempt} />);
    }
  };
  onSessionEnd(() => {
    // A token that is refused as soon as it is given would be asked for without end.
    if (isTrying) return;
    resetAccount();
    void attemptOrAsk();
  });
  await attemptOrAsk();
}
