import { describe, expect, test } from "vitest";
import { type Popup, type PopupButton, type PopupFault, popupFault } from "./popup.ts";

const long = (length: number) => "ы".repeat(length);
const ask = (changes: Partial<Popup>): Popup => ({ title: "Forget?", message: "Gone for good.", ...changes });
const one = (button: PopupButton) => ask({ buttons: [button] });
const buttons = (count: number) =>
  Array.from({ length: count }, (_, index): PopupButton => ({ id: String(index), type: "default", text: "Yes" }));

const TABLE: readonly (readonly [string, Popup, PopupFault | null])[] = [
  ["no title", { message: "Gone for good." }, null],
  ["an empty title", ask({ title: "" }), null],
  ["a title of 64", ask({ title: long(64) }), null],
  ["a title of 64 between spaces", ask({ title: ` ${long(64)}\n` }), null],
  ["a title of 65", ask({ title: long(65) }), "POPUP_TITLE_TOO_LONG"],
  ["a title of 33 letters of two units each", ask({ title: "😀".repeat(33) }), "POPUP_TITLE_TOO_LONG"],
  ["no message", ask({ message: "" }), "POPUP_MESSAGE_MISSING"],
  ["a message of spaces", ask({ message: " \n\t" }), "POPUP_MESSAGE_MISSING"],
  ["a message of 1", ask({ message: "?" }), null],
  ["a message of 256", ask({ message: long(256) }), null],
  ["a message of 257", ask({ message: long(257) }), "POPUP_MESSAGE_TOO_LONG"],
  ["no buttons", ask({ buttons: [] }), null],
  ["3 buttons", ask({ buttons: buttons(3) }), null],
  ["4 buttons", ask({ buttons: buttons(4) }), "POPUP_BUTTONS_TOO_MANY"],
  ["an empty id", one({ id: "", type: "default", text: "Yes" }), null],
  ["an id of 64", one({ id: long(64), type: "default", text: "Yes" }), null],
  ["an id of 65", one({ id: long(65), type: "default", text: "Yes" }), "POPUP_BUTTON_ID_TOO_LONG"],
  ["an id of 65 on a button of the client's words", one({ id: long(65), type: "ok" }), "POPUP_BUTTON_ID_TOO_LONG"],
  ["a default button without text", one({ id: "a", type: "default", text: "" }), "POPUP_BUTTON_TEXT_MISSING"],
  ["a destructive one of spaces", one({ id: "a", type: "destructive", text: "  " }), "POPUP_BUTTON_TEXT_MISSING"],
  ["a text of 64", one({ id: "a", type: "destructive", text: long(64) }), null],
  ["a text of 65", one({ id: "a", type: "default", text: long(65) }), "POPUP_BUTTON_TEXT_TOO_LONG"],
  ["a destructive text of 65", one({ id: "a", type: "destructive", text: long(65) }), "POPUP_BUTTON_TEXT_TOO_LONG"],
  [
    "ok, close and cancel without texts",
    ask({
      buttons: [
        { id: "1", type: "ok" },
        { id: "2", type: "close" },
      ],
    }),
    null,
  ],
  [
    "a fault of the last button",
    ask({ buttons: [...buttons(2), { id: "x", type: "default", text: "" }] }),
    "POPUP_BUTTON_TEXT_MISSING",
  ],
];

describe("Telegram's popup (spec §5)", () => {
  test.each(TABLE)("with %s", (_, popup, fault) => {
    expect(popupFault(popup)).toBe(fault);
  });
});
