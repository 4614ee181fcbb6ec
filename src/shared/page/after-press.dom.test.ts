import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { afterPress } from "./after-press.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("waits for the release of a press, and for its click", () => {
  const done = vi.fn<() => void>();
  afterPress(done);
  vi.advanceTimersByTime(50);
  expect(done).not.toHaveBeenCalled();
  dispatchEvent(new Event("pointerup"));
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(done).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(done).toHaveBeenCalledTimes(1);
});

it("goes on without a press", () => {
  const done = vi.fn<() => void>();
  afterPress(done);
  vi.advanceTimersByTime(300);
  expect(done).toHaveBeenCalledTimes(1);
});
