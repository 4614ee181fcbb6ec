import { matchRoute } from "../router/route-table.ts";
import type { GuardAccount, Guard } from "./guard.ts";

/** spec §9 */
const REFRESH_MS = 15 * 60_000;

type Input = Pick<GuardAccount, "isAuthorised" | "fetchedAt"> & { readonly now: number; readonly routeName: string };

/**
 * Whether to fetch account data again: when it is over 15 minutes old, and on every page of the profile (spec §2, guard 2).
 */
export const needsAccountRefresh = ({ isAuthorised, fetchedAt, now, routeName }: Input): boolean =>
  isAuthorised && (routeName.startsWith("profile") || fetchedAt === null || now - fetchedAt > REFRESH_MS);

/** Guard 2 of spec §2. A failure keeps the old data; the page opens all the same. */
export const accountRefresh: Guard = async ({ path }, { account, now }) => {
  const routeName = matchRoute(path)?.route.name ?? "";
  if (!needsAccountRefresh({ ...account, now, routeName })) return null;
  try {
    await account.refresh();
  } catch (error) {
    console.warn("account data can't be refreshed", error);
  }
  return null;
};
