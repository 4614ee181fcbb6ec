import { useSyncExternalStore } from "react";

/** The browser's offer to install the app, which Chromium makes once it finds the site installable. */
type InstallOffer = Event & { readonly prompt: () => Promise<unknown> };

let offer: InstallOffer | null = null;
const listeners = new Set<() => void>();

function set(next: InstallOffer | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer, so that the page can make it where it fits. Called once, as early as the app starts. */
export function keepInstallOffer(): void {
  addEventListener("beforeinstallprompt", (event) => set(event as InstallOffer));
  addEventListener("appinstalled", () => set(null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the browser's own dialog; an offer serves once. */
const install = (): void => {
  const taken = offer;
  set(null);
  taken?.prompt().catch((error: unknown) => console.warn("the installation can't be offered", error));
};

/** Offers to install the app on this device, from a press; null while the browser doesn't offer it, and on the server. */
export const useInstall = (): (() => void) | null =>
  useSyncExternalStore(
    subscribe,
    () => (offer === null ? null : install),
    () => null,
  );
