import { isStorageDenied } from "../load-client.ts";
import { sessionStore } from "../../shared/browser/storage.ts";

const FOLLOWED = "start-parameter";
/** In the hash, beside the launch data. */
const FOLLOWED_MARK = "followed=1";

/** Whether the launch's deeplink was followed before: it comes back with every reload. */
export const isFollowed = (startParameter: string): boolean =>
  sessionStore.get(FOLLOWED) === startParameter || location.hash.split("&").includes(FOLLOWED_MARK);

/** Remembers that the launch's deeplink was followed; returns the hash that the next page's URL has to keep. */
export function keepFollowed(startParameter: string): string {
  sessionStore.set(FOLLOWED, startParameter);
  if (!isStorageDenied()) return location.hash;
  const hash = `${location.hash || "#"}&${FOLLOWED_MARK}`;
  writeHash(hash);
  return hash;
}

/**
 * Keeps the launch data in the URL through navigation where storage is denied: a reload would find it nowhere else, and the user
 * would be a guest on a website.
 */
export function keepLaunchHash(): void {
  if (!isStorageDenied()) return;
  let launch = location.hash;
  const keep = () => {
    if (location.hash === "") writeHash(launch);
    else if (location.hash.includes("tgWebApp")) launch = location.hash;
  };
  for (const event of ["pushState", "replaceState", "popstate"]) addEventListener(event, keep);
}

/** The router's own replaceState would announce a navigation. */
const writeHash = (hash: string): void => History.prototype.replaceState.call(history, history.state, "", hash);
