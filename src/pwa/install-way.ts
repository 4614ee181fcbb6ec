export type Situation = {
  /** Where the page is shown, as the head script has found out: `pwa` is the installed app. */
  readonly shell: string | undefined;
  /** The browser has offered to install the app. */
  readonly hasOffer: boolean;
  readonly isIos: boolean;
  readonly hasCompletedOrder: boolean;
  readonly isDismissed: boolean;
};

/** How the app is offered for the home screen: by the browser's own dialog, by telling where iOS has it, or not at all. */
export type InstallWay = "none" | "dialog" | "instructions";

export function installWay({ shell, hasOffer, isIos, hasCompletedOrder, isDismissed }: Situation): InstallWay {
  if (shell !== "web" || !hasCompletedOrder || isDismissed) return "none";
  if (hasOffer) return "dialog";
  return isIos ? "instructions" : "none";
}

/** An iPad says that it is a Mac, but no Mac can be touched. */
export const isIos = ({ userAgent, maxTouchPoints }: Pick<Navigator, "userAgent" | "maxTouchPoints">): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
