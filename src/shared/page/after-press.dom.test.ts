import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { afterPress } from "./after-press.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("waits for the release of a press, and for its click, which a finger's comes later", () => {
  const done = vi.fn<() => void>();
  afterPress(done);
  vi.advanceTimersByTime(250);
  dispatchEvent(new Event("pointerup"));
  vi.advanceTimersByTime(90);
  expect(done).not.toHaveBeenCalled();
  dispatchEvent(new Event("click"));
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(done).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(done).toHaveBeenCalledTimes(1);
});

it("waits for no click that doesn't come, as after a drag", () => {
  const done = vi.fn<() => void>();
  afterPress(done);
  dispatchEvent(new Event("pointerup"));
  vi.advanceTimersByTime(100);
  expect(done).toHaveBeenCalledTimes(1);
});

it("goes on without a press", () => {
  const done = vi.fn<() => void>();
  afterPress(done);
  vi.advanceTimersByTime(300);
  expect(done).toHaveBeenCalledTimes(1);
});
