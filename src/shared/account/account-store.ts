import { type AccountData, accountDataSchema } from "#contract/account.ts";
import type { Api } from "#contract/ssr.ts";
import { localStore, readJson } from "../browser/storage.ts";
import { setAccessToken } from "../http/access-token.ts";
import { account } from "./account.ts";

/** spec §3: account data is persisted under a key of the product. */
const KEY = "wherry-account";

/** What was known at the last visit, until it is fetched anew. */
export function restoreAccount(): void {
  const saved = readJson(localStore, KEY, accountDataSchema);
  if (saved !== null && saved.userId !== 0) account.data = saved;
  else localStore.remove(KEY);
}

/** What was fetched; without a user id it is forgotten (spec §3). */
export function keepAccount(data: AccountData): void {
  account.data = data;
  account.fetchedAt = Date.now();
  if (data.userId === 0) localStore.remove(KEY);
  else localStore.set(KEY, JSON.stringify(data));
}

/** Fetches the signed-in user's data anew. */
export async function fetchAccount(api: Api): Promise<void> {
  keepAccount(await api.call("accountData"));
}

/** Leaves a guest: the token, the data and when it was fetched are gone (spec §4, logout and session reset). */
export function resetAccount(): void {
  setAccessToken(null);
  account.data = null;
  account.fetchedAt = null;
  localStore.remove(KEY);
}
