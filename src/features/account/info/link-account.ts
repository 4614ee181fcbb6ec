import { accessToken, setAccessToken } from "../../../shared/http/access-token.ts";
import { loadTelegramClient } from "../../../telegram/load-client.ts";
import { authenticateInTelegram, linkTelegram, reloadAccount } from "../api.ts";

export type LocalSignIn = { readonly email: string; readonly password: string; readonly code: string };

/**
 * Inside Telegram: joins the Telegram user to the local account that email and password open (contract §8). Where the service refuses it,
 * the Telegram account stays signed in.
 */
export async function linkLocalAccount({ email, password, code }: LocalSignIn): Promise<void> {
  const initData = (await loadTelegramClient())?.initData ?? "";
  const before = accessToken();
  const second = code === "" ? {} : { code };
  const { accessToken: local } = await authenticateInTelegram({ email, password, initData, ...second });
  if (local === undefined) throw new Error("the service opened no session for Telegram");
  setAccessToken(local);
  try {
    await linkTelegram(initData);
  } catch (error) {
    setAccessToken(before);
    throw error;
  }
  await reloadAccount();
}
