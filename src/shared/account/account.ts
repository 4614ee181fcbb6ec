import { proxy, type Snapshot, subscribe, useSnapshot } from "valtio";
import type { AccountData } from "#contract/accounts/account.ts";
import { useHydrated } from "../page/use-hydrated.ts";
import { signedIn } from "./signed-in.ts";

type Account = {
  /** Null for a guest. */
  data: AccountData | null;
  /** When it was fetched, in milliseconds; null before the first time. */
  fetchedAt: number | null;
  /** The browser knows who is signed in; until then the page tells it. */
  isKnown: boolean;
  /** The page was rendered for somebody whose data could not be fetched: neither known nor a guest. */
  isUnavailable: boolean;
  /** Telegram's user could not be signed in, and is asked what to do. */
  showLoginDialog: boolean;
};

/** Who is signed in. Only the browser fills it, and no first load has it: what that needs is in signed-in.ts. */
export const account = proxy<Account>({
  data: null,
  fetchedAt: null,
  isKnown: false,
  isUnavailable: false,
  showLoginDialog: false,
});

subscribe(
  account,
  () => {
    signedIn.isSignedIn = account.isKnown ? account.data !== null : null;
    // What a fetch answers a guest has the id 0.
    signedIn.userId = account.data?.userId || null;
  },
  true,
);

/** spec §4: outside Telegram an account needs an email too. */
export const isAuthorised = (data: Pick<AccountData, "userId" | "email"> | null, isTelegram: boolean): boolean =>
  data !== null && data.userId !== 0 && (isTelegram || (data.email ?? "") !== "");

/** Account data as a component reads it. */
export type AccountSnapshot = Snapshot<AccountData>;

/** Who is signed in; null for a guest, and while that is not known yet. */
export const useAccount = (): AccountSnapshot | null => useSnapshot(account).data;

/** The email of who is signed in; null for a guest, and until hydration. */
export function useAccountEmail(): string | null {
  const email = useAccount()?.email ?? null;
  return useHydrated() ? email : null;
}
