import { expect, test, vi } from "vitest";
import { firstTouch, onFirstTouch } from "./first-touch.ts";

test("what waits for the first touch begins once, with whatever comes first", () => {
  const begin = vi.fn();
  onFirstTouch(begin);
  expect(begin).not.toHaveBeenCalled();
  document.body.dispatchEvent(new Event("focusin", { bubbles: true }));
  document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  expect(begin).toHaveBeenCalledOnce();
});

test("what was called off does not begin", () => {
  const begin = vi.fn();
  onFirstTouch(begin)();
  dispatchEvent(new Event("keydown"));
  expect(begin).not.toHaveBeenCalled();
});

test("is remembered for who asks later", async () => {
  const asked = firstTouch();
  dispatchEvent(new Event("keydown"));
  await asked;
  await firstTouch();
});
