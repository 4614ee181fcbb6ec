import { fetchAccount } from "../../../shared/account/account-store.ts";
import { accessToken, setAccessToken } from "../../../shared/http/access-token.ts";
import { browserApi, call } from "../../../shared/http/http.ts";
import { loadTelegramClient } from "../../../telegram/load-client.ts";

export type LocalSignIn = { readonly email: string; readonly password: string; readonly code: string };

/**
 * Inside Telegram: joins the Telegram user to the local account that email and password open (contract §8). Where the service refuses it,
 * the Telegram account stays signed in.
 */
export async function linkLocalAccount({ email, password, code }: LocalSignIn): Promise<void> {
  const initData = (await loadTelegramClient())?.initData ?? "";
  const before = accessToken();
  const second = code === "" ? {} : { code };
  const { accessToken: local } = await call("authenticateLocal", { body: { email, password, initData, ...second } });
  if (local === undefined) throw new Error("the service opened no session for Telegram");
  setAccessToken(local);
  try {
    await call("linkTelegram", { body: { initData } });
  } catch (error) {
    setAccessToken(before);
    throw error;
  }
  await fetchAccount(browserApi);
}
