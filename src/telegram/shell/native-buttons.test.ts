import { describe, expect, test } from "vitest";
import { nativeButtons, type PageButton } from "./native-buttons.ts";

const button = (words: string, more: Partial<PageButton> = {}): PageButton => ({
  words,
  isDisabled: false,
  isBusy: false,
  ...more,
});
const CREATE = button("Create order for 0.5 ETH");
const WAITING = button("Waiting for the network", { isDisabled: true });
const CREATING = button("Creating the order", { isBusy: true });
const SKIP = button("Without an email");

const HIDDEN = null;
const shown = (text: string, more = {}) => ({ text, isEnabled: true, isBusy: false, ...more });
const OFF = { isEnabled: false };
const BUSY = { isEnabled: false, isBusy: true };

describe("the client's buttons, by what the screen has", () => {
  test.each([
    ["nothing to do", false, null, null, HIDDEN, HIDDEN],
    ["a next step", false, CREATE, null, shown("Create order for 0.5 ETH"), HIDDEN],
    ["a next step that waits", false, WAITING, null, shown("Waiting for the network", OFF), HIDDEN],
    ["a call on its way", false, CREATING, null, shown("Creating the order", BUSY), HIDDEN],
    ["a choice of two", false, CREATE, SKIP, shown("Create order for 0.5 ETH"), shown("Without an email")],
    [
      "a choice whose one side is stopped",
      false,
      WAITING,
      SKIP,
      shown("Waiting for the network", OFF),
      shown("Without an email"),
    ],
    [
      "a choice while a call is on its way",
      false,
      CREATING,
      SKIP,
      shown("Creating the order", BUSY),
      shown("Without an email", OFF),
    ],
    ["a quiet way out alone, which stays on the page", false, null, SKIP, HIDDEN, HIDDEN],
    ["a root", true, CREATE, null, HIDDEN, HIDDEN],
    ["a root with a dialog's choice", true, CREATE, SKIP, HIDDEN, HIDDEN],
  ])("%s", (_, isRoot, main, secondary, mainShown, secondaryShown) => {
    expect(nativeButtons({ isRoot, main, secondary })).toEqual({ main: mainShown, secondary: secondaryShown });
  });
});
