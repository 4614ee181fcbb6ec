import { proxy, useSnapshot } from "valtio";
import { useHydrated } from "../page/use-hydrated.ts";

/** All that every page, a guest's too, needs of accounts: account.ts, which is loaded late, fills it. */
export const signedIn = proxy<{
  /** Null until the browser knows who is signed in; until then the page tells it. */
  isSignedIn: boolean | null;
  /** Null for a guest, and until the browser knows. */
  userId: number | null;
}>({ isSignedIn: null, userId: null });

/** Whether somebody is signed in: as the page was rendered, until the browser knows better. */
export function useIsSignedIn(isRenderedSignedIn: boolean): boolean {
  const { isSignedIn } = useSnapshot(signedIn);
  return (useHydrated() ? isSignedIn : null) ?? isRenderedSignedIn;
}
