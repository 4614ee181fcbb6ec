import { useEffect } from "react";
import { proxy, ref, useSnapshot } from "valtio";
import { persisted } from "../shared/browser/storage.ts";

/** The browser's offer to install the app, which Chromium makes once it finds the site installable. */
type InstallOffer = Event & {
  readonly prompt: () => Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: "accepted" | "dismissed" }>;
};

declare global {
  /** Set by the head script, since the event may come before any other code; shown where it fits, not where the browser would. */
  var installOffer: InstallOffer | undefined;
}

/** Nobody is asked twice on one device. */
const dismissal = persisted(
  "wherry-install-dismissed",
  (saved) => saved !== null,
  (isDismissed) => (isDismissed ? "yes" : null),
);
/** The offer serves once; null while the browser makes none. */
const state = proxy({ offer: null as InstallOffer | null });

/** Reads the offer that came before this code, and follows the next ones. */
function followOffers(): () => void {
  const readOffer = () => {
    state.offer = globalThis.installOffer === undefined ? null : ref(globalThis.installOffer);
  };
  const endOffer = () => {
    globalThis.installOffer = undefined;
    state.offer = null;
  };
  addEventListener("beforeinstallprompt", readOffer);
  addEventListener("appinstalled", endOffer);
  readOffer();
  return () => {
    removeEventListener("beforeinstallprompt", readOffer);
    removeEventListener("appinstalled", endOffer);
  };
}

/** Shows the browser's dialog, in a click handler. A user who declines is not asked again. */
async function install(): Promise<void> {
  const { offer } = state;
  if (offer === null) return;
  globalThis.installOffer = undefined;
  state.offer = null;
  try {
    await offer.prompt();
    if ((await offer.userChoice).outcome === "dismissed") dismissInstall();
  } catch (error) {
    console.warn("the install dialog can't be shown", error);
  }
}

export function dismissInstall(): void {
  dismissal.value = true;
}

type Install = {
  /** Installs the app on this device; null while the browser doesn't offer it, and in the first render. */
  readonly install: (() => Promise<void>) | null;
  readonly isDismissed: boolean;
};

/** Whether the app can be installed on this device. */
export function useInstall(): Install {
  useEffect(followOffers, []);
  const { offer } = useSnapshot(state);
  const { value: isDismissed } = useSnapshot(dismissal);
  return { install: offer === null ? null : install, isDismissed };
}

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
