import { useSyncExternalStore } from "react";
import { localStore } from "../shared/browser/storage.ts";

/** The browser's offer to install the app, which Chromium makes once it finds the site installable. */
export type InstallOffer = Event & {
  readonly prompt: () => Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: "accepted" | "dismissed" }>;
};

declare global {
  /** Set by the head script, since the event may come before any other code; shown where it fits, not where the browser would. */
  var installOffer: InstallOffer | undefined;
}

const DISMISSED = "wherry-install-dismissed";
const TAKEN = "installoffertaken";

function subscribe(listener: () => void): () => void {
  const installed = () => {
    globalThis.installOffer = undefined;
    listener();
  };
  addEventListener("beforeinstallprompt", listener);
  addEventListener(TAKEN, listener);
  addEventListener("appinstalled", installed);
  return () => {
    removeEventListener("beforeinstallprompt", listener);
    removeEventListener(TAKEN, listener);
    removeEventListener("appinstalled", installed);
  };
}

/** Shows the browser's dialog, in a click handler. An offer serves once; a user who declines is not asked again. */
async function install(): Promise<void> {
  const offer = globalThis.installOffer;
  if (offer === undefined) return;
  globalThis.installOffer = undefined;
  dispatchEvent(new Event(TAKEN));
  try {
    await offer.prompt();
    if ((await offer.userChoice).outcome === "dismissed") dismissInstall();
  } catch (error) {
    console.warn("the install dialog can't be shown", error);
  }
}

/** Installs the app on this device; null while the browser doesn't offer it, and on the server. */
export const useInstall = (): (() => Promise<void>) | null =>
  useSyncExternalStore(
    subscribe,
    () => (globalThis.installOffer === undefined ? null : install),
    () => null,
  );

export const isInstallDismissed = (): boolean => localStore.get(DISMISSED) !== null;

/** Nobody is asked twice on one device. */
export const dismissInstall = (): void => localStore.set(DISMISSED, "yes");

export type InstallContext = {
  /** `data-shell` of the page: `pwa` is the installed app. */
  readonly shell: string | undefined;
  /** The browser has offered to install the app. */
  readonly hasOffer: boolean;
  readonly isIos: boolean;
  readonly hasCompletedOrder: boolean;
  readonly isDismissed: boolean;
};

/** How installing is offered: by the browser's dialog, by instructions for iOS, or not at all. */
export type InstallMethod = "none" | "dialog" | "instructions";

export function installMethod({
  shell,
  hasOffer,
  isIos,
  hasCompletedOrder,
  isDismissed,
}: InstallContext): InstallMethod {
  if (shell !== "web" || !hasCompletedOrder || isDismissed) return "none";
  if (hasOffer) return "dialog";
  return isIos ? "instructions" : "none";
}

/** An iPad says that it is a Mac, but no Mac can be touched. */
export const isIos = ({ userAgent, maxTouchPoints }: Pick<Navigator, "userAgent" | "maxTouchPoints">): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
