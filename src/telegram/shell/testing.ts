import type { NativeButton } from "../sdk/buttons.ts";
import type { TelegramClient } from "../telegram-client.ts";
import type { Viewport } from "../sdk/viewport.ts";

type Which = "main" | "secondary";

type Followed = Pick<
  TelegramClient,
  "showBack" | "onBack" | "setButton" | "onButton" | "allowSwipes" | "expand" | "onViewport"
>;

/** A client that shows what it is told, and whose user presses what it shows. */
type FakeFollowedClient = Followed & {
  readonly shown: {
    buttons: Partial<Record<Which, NativeButton | null>>;
    back: boolean | null;
    swipes: boolean | null;
  };
  press(which: Which | "back"): void;
  show(viewport: Viewport): void;
};

/** Has the buttons that are named. */
export function fakeFollowedClient(has: readonly Which[] = ["main", "secondary"]): FakeFollowedClient {
  const shown: FakeFollowedClient["shown"] = { buttons: {}, back: null, swipes: null };
  const presses = new Map<string, () => void>();
  let follow: (viewport: Viewport) => void = () => undefined;
  return {
    shown,
    press: (which) => presses.get(which)?.(),
    show: (viewport) => follow(viewport),
    showBack: (isShown) => void (shown.back = isShown),
    onBack: (goBack) => void presses.set("back", goBack),
    setButton(which, button) {
      if (!has.includes(which)) return false;
      shown.buttons[which] = button;
      return true;
    },
    onButton: (which, press) => void presses.set(which, press),
    allowSwipes: (areAllowed) => void (shown.swipes = areAllowed),
    expand: () => undefined,
    onViewport: (listener) => void (follow = listener),
  };
}
