import type { Api } from "#contract/ssr.ts";
import { setAccessToken } from "../../shared/http/access-token.ts";
import { keepAccount } from "../../shared/account/account-store.ts";
import { CallError } from "../../shared/http/call-error.ts";

/** Signs Telegram's user in by its launch data, making the account where there is none (contract §4). Throws CallError. */
export async function signIn(initData: string, api: Api): Promise<void> {
  const { accessToken } = await authenticate(initData, api);
  setAccessToken(accessToken);
  await fetchAccount(api);
}

/** What is known of who is signed in, fetched anew. */
export async function fetchAccount(api: Api): Promise<void> {
  keepAccount(await api.call("accountData"));
}

async function authenticate(initData: string, api: Api): Promise<{ accessToken: string }> {
  const body = { initData };
  try {
    return await api.call("authenticateByTelegram", { body });
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== "ERR_NOT_FOUND") throw error;
    return api.call("createByTelegram", { body });
  }
}
