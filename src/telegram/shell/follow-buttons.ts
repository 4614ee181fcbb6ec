import type { NativeButton } from "../sdk/buttons.ts";
import type { TelegramClient } from "../telegram-client.ts";
import {
  buttonState,
  dialogActions,
  isRootScreen,
  pageActions,
  type ScreenActions,
} from "../../shared/ui/screen-actions.ts";
import { followScreen, openDialogs } from "./follow-screen.ts";
import { nativeButtons } from "./native-buttons.ts";

const BOTH = ["main", "secondary"] as const;
type Which = (typeof BOTH)[number];

/**
 * Has the client's buttons stand in for the page's own, which go on to be what is pressed and what says why it can't be. Where the
 * client has no such button, the page's stays.
 */
export function followButtons(telegram: Pick<TelegramClient, "setButton" | "onButton">): void {
  const taken = BOTH.filter((which) => telegram.setButton(which, null));
  // They can be pressed without a touch of the page, which parts of it wait for.
  dispatchEvent(new Event("pointermove"));
  for (const which of taken) telegram.onButton(which, () => press(which));
  const shown: Record<Which, string> = { main: "null", secondary: "null" };
  followScreen(() => {
    const { buttons } = look();
    for (const which of taken) {
      const text = JSON.stringify(buttons[which]);
      if (text === shown[which]) continue;
      shown[which] = text;
      telegram.setButton(which, buttons[which]);
    }
    // The page hides its own while the client shows one.
    document.documentElement.dataset["nativeButtons"] = taken.filter((which) => buttons[which] !== null).join(" ");
  });
}

function press(which: Which): void {
  const { buttons, onTop } = look();
  if (buttons[which]?.isEnabled === true) onTop[which]?.click();
}

type Look = { readonly buttons: Record<Which, NativeButton | null>; readonly onTop: ScreenActions };

function look(): Look {
  const dialog = openDialogs().at(-1);
  const onTop = dialog === undefined ? pageActions() : dialogActions(dialog);
  const stateOf = (button: HTMLElement | null) => (button === null ? null : buttonState(button));
  const buttons = nativeButtons({
    isRoot: isRootScreen(),
    main: stateOf(onTop.main),
    secondary: stateOf(onTop.secondary),
  });
  return { buttons, onTop };
}
