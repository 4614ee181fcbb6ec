import { isCameraForbidden } from "../../../shared/browser/camera.ts";
import { sessionStore } from "../../../shared/browser/storage.ts";

const KEY = "wherry-scan";
/** A reload takes less; a later visit opens no camera by itself. */
const RELOAD_MS = 30_000;

/**
 * Loads the page anew where its document may not use the camera: the app was entered by a page that doesn't scan, and only the
 * server's answer for this one opens it. What was typed is kept. True when the page is on its way out.
 */
export function reloadToScan(): boolean {
  if (!isCameraForbidden() || !navigator.onLine) return false;
  sessionStore.set(KEY, `${Date.now()} ${location.pathname}`);
  location.reload();
  return true;
}

/** Whether this page was loaded anew to scan; true once. */
export function wasReloadedToScan(): boolean {
  const [at, path] = sessionStore.get(KEY)?.split(" ") ?? [];
  sessionStore.remove(KEY);
  return path === location.pathname && Date.now() - Number(at) < RELOAD_MS;
}
