import { createContext, use } from "react";
import { proxy, useSnapshot } from "valtio";
import type { AccountData } from "#contract/account.ts";

type Account = {
  /** Null for a guest. */
  data: AccountData | null;
  /** When it was fetched, in milliseconds; null before the first time. */
  fetchedAt: number | null;
  /** Telegram's user could not be signed in, and is asked what to do. */
  showLoginDialog: boolean;
};

/** Who is signed in. Only the browser fills it. */
export const account = proxy<Account>({ data: null, fetchedAt: null, showLoginDialog: false });

/** spec §4: outside Telegram an account needs an email too. */
export const isAuthorised = (data: Pick<AccountData, "userId" | "email"> | null, isTelegram: boolean): boolean =>
  data !== null && data.userId !== 0 && (isTelegram || (data.email ?? "") !== "");

export const useAccount = (): AccountData | null => useSnapshot(account).data;

/** The email of who is signed in; null for a guest, and where nothing provides accounts. */
const AccountEmailContext = createContext<string | null>(null);

export const useAccountEmail = (): string | null => use(AccountEmailContext);
