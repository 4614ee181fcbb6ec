import { isCameraForbidden } from "../../shared/browser/camera.ts";
import { sessionStore } from "../../shared/browser/storage.ts";

const KEY = "wherry-scan";
/** A reload takes less; a later visit opens no camera by itself. */
const RELOAD_MS = 30_000;

/**
 * Loads the page anew where its document may not use the camera: the app was entered by a page that doesn't scan, and only the
 * server's answer for this one opens it. True when the page is on its way out; the field by this id scans once it is back.
 */
export function reloadToScan(fieldId: string): boolean {
  if (!isCameraForbidden() || !navigator.onLine) return false;
  sessionStore.set(KEY, `${Date.now()} ${fieldId} ${location.pathname}`);
  location.reload();
  return true;
}

/** Whether this page was loaded anew to scan into this field: what holds the field opens itself again. */
export function isReloadedToScan(fieldId: string): boolean {
  const [at, id, path] = sessionStore.get(KEY)?.split(" ") ?? [];
  return id === fieldId && path === location.pathname && Date.now() - Number(at) < RELOAD_MS;
}

/** The same, true once. */
export function takeReloadToScan(fieldId: string): boolean {
  const isReloaded = isReloadedToScan(fieldId);
  if (isReloaded) sessionStore.remove(KEY);
  return isReloaded;
}
