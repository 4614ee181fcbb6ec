import { localStore, readJson } from "../../../shared/browser/storage.ts";

const KEY = "recent-coins:v1";
const MOST = 6;

/** The slugs that were chosen last on this device, the newest first; what something else has written there is left out. */
export function recentCoins(): string[] {
  const kept = readJson(localStore, KEY);
  return Array.isArray(kept) ? kept.filter((slug): slug is string => typeof slug === "string").slice(0, MOST) : [];
}

export function rememberCoin(slug: string): void {
  const others = recentCoins().filter((kept) => kept !== slug);
  localStore.set(KEY, JSON.stringify([slug, ...others].slice(0, MOST)));
}
