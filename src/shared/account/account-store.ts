import { type AccountData, accountDataSchema } from "#contract/accounts/account.ts";
import type { Api } from "#contract/site/ssr.ts";
import { localStore, parseJson, readJson } from "../browser/storage.ts";
import { setAccessToken } from "../http/access-token.ts";
import { account } from "./account.ts";

/** spec §3: account data is persisted under a key of the product. */
const KEY = "wherry-account";
/** Changes when somebody signs out on this device. */
const SIGNED_OUT_KEY = "wherry-signed-out";
const FETCHED_AT_KEY = "wherry-account-fetched-at";
/** What the pages of the profile saw last; last-seen.ts writes it. */
export const LAST_SEEN_KEY = "wherry-account-seen";

/** What was known at the last visit, until it is fetched anew. */
export function restoreAccount(): void {
  const saved = readJson(localStore, KEY, accountDataSchema);
  const fetchedAt = Number(localStore.get(FETCHED_AT_KEY) ?? Number.NaN);
  if (saved !== null && saved.userId !== 0)
    Object.assign(account, { data: saved, fetchedAt: Number.isFinite(fetchedAt) ? fetchedAt : null, isKnown: true });
  else forgetSaved();
}

/** What was fetched; without a user id it is forgotten (spec §3). */
export function keepAccount(data: AccountData): void {
  const fetchedAt = Date.now();
  Object.assign(account, { data, fetchedAt, isKnown: true, isUnavailable: false });
  if (data.userId === 0) return forgetSaved();
  localStore.set(FETCHED_AT_KEY, String(fetchedAt));
  localStore.set(KEY, JSON.stringify(data));
}

/** Fetches the signed-in user's data anew. */
export async function fetchAccount(api: Api): Promise<void> {
  keepAccount(await api.call("accountData"));
}

/** Leaves a guest: the token, the data and when it was fetched are gone (spec §4, logout and session reset). */
export function resetAccount(): void {
  setAccessToken(null);
  Object.assign(account, { data: null, fetchedAt: null, isKnown: true, isUnavailable: false });
  forgetSaved();
}

/** Tells the other tabs, which may hold what only this person may see. */
export const notifySignOut = (): void => localStore.set(SIGNED_OUT_KEY, String(Date.now()));

/**
 * Another tab of this browser has signed in, or its session has ended: this one follows. Where somebody has signed out, or another
 * person has signed in, `leave` is called: the page may show what is theirs no more.
 */
export function followOtherTabs(leave: () => void): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key === SIGNED_OUT_KEY) return leave();
    if (key !== KEY && key !== null) return;
    const data = newValue === null ? null : parseJson(newValue, accountDataSchema);
    if (account.data !== null && data !== null && data.userId !== account.data.userId) return leave();
    Object.assign(account, { data, fetchedAt: data === null ? null : Date.now(), isKnown: true, isUnavailable: false });
  };
  addEventListener("storage", follow);
  return () => removeEventListener("storage", follow);
}

function forgetSaved(): void {
  localStore.remove(KEY);
  localStore.remove(FETCHED_AT_KEY);
  localStore.remove(LAST_SEEN_KEY);
}
