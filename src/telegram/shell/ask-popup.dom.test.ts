import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Overlays } from "../../shared/page/overlays.tsx";
import { render, settled } from "../../shared/testing/render.tsx";
import { PopupError } from "../popup.ts";
import type { Popup } from "../popup.ts";
import { askPopup } from "./ask-popup.tsx";

const QUESTION: Popup = {
  title: "Forget?",
  message: "Gone for good.",
  buttons: [
    { id: "yes", type: "destructive", text: "Forget it" },
    { id: "no", type: "cancel" },
  ],
};

afterEach(() => void vi.restoreAllMocks());

beforeEach(async () => {
  const { unmount } = await render(createElement(Overlays));
  return unmount;
});

test("a question is asked by Telegram's popup", async () => {
  expect(await askPopup(QUESTION, { popUp: async () => "yes" })).toBe("yes");
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
    given = askPopup(QUESTION, { popUp });
  });
  expect(document.querySelector("dialog[open]")?.textContent).toContain("Gone for good.");

  await settled(() => (button() as HTMLElement).click());
  expect(await given).toBe(answer);
  await settled();
  expect(document.querySelector("dialog")).toBeNull();
});
