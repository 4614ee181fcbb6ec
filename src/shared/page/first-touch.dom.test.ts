import { expect, test, vi } from "vitest";
import { onFirstTouch } from "./first-touch.ts";

/** A task later, all promises that could be settled are. */
const settledPromises = () => new Promise((done) => setTimeout(done));

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
  // Anew: the page's one promise outlives the tests that share this module.
  vi.resetModules();
  const { firstTouch } = await import("./first-touch.ts");
  const touched = vi.fn();
  void firstTouch().then(touched);
  await settledPromises();
  expect(touched).not.toHaveBeenCalled();

  dispatchEvent(new Event("keydown"));
  await settledPromises();
  expect(touched).toHaveBeenCalledOnce();
  void firstTouch().then(touched);
  await settledPromises();
  expect(touched).toHaveBeenCalledTimes(2);
});
