import { allMessages } from "../../shared/i18n/all-messages.ts";
import { afterEach, expect, test, vi } from "vitest";
import { createI18n } from "../../shared/i18n/create-i18n.ts";
import { settled } from "../../shared/testing/render.tsx";
import { PopupError } from "../popup.ts";
import type { Popup } from "../popup.ts";
import { askPopup } from "./ask-popup.tsx";

const i18n = createI18n("en", allMessages("en"));
const QUESTION: Popup = {
  title: "Forget?",
  message: "Gone for good.",
  buttons: [
    { id: "yes", type: "destructive", text: "Forget it" },
    { id: "no", type: "cancel" },
  ],
};

afterEach(() => void vi.restoreAllMocks());

test("a question is asked by Telegram's popup", async () => {
  expect(await askPopup(QUESTION, { popUp: async () => "yes" }, i18n)).toBe("yes");
  expect(document.querySelector("dialog")).toBeNull();
});

test.each([
  ["a button", () => [...document.querySelectorAll("button")].find((one) => one.textContent === "Forget it"), "yes"],
  ["its close", () => document.querySelector("button[aria-label]"), null],
])("what Telegram doesn't ask our dialog does, and gives what %s says", async (_, button, answer) => {
  vi.spyOn(console, "debug").mockReturnValue();
  const popUp = () => Promise.reject(new PopupError("POPUP_BUSY"));
  let given: Promise<string | null> = Promise.resolve("");
  await settled(() => {
    given = askPopup(QUESTION, { popUp }, i18n);
  });
  expect(document.querySelector("dialog[open]")?.textContent).toContain("Gone for good.");

  await settled(() => (button() as HTMLElement).click());
  expect(await given).toBe(answer);
  await settled();
  expect(document.querySelector("dialog")).toBeNull();
});
