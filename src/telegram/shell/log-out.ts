import type { Api } from "#contract/ssr.ts";
import { accessToken } from "../../shared/http/access-token.ts";
import { resetAccount } from "../../shared/account/account-store.ts";
import type { TelegramClient } from "../telegram-client.ts";

/** Ends the session, forgets who was signed in and closes the app (spec §4); without the network it ends on this device alone. */
export async function logOut(telegram: Pick<TelegramClient, "close">, api: Api): Promise<void> {
  try {
    if (accessToken() !== null) await api.call("logOut");
  } catch (error) {
    console.warn("the service does not know that the session has ended", error);
  }
  resetAccount();
  telegram.close();
}
