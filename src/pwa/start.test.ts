import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startPwa } from "./start.ts";

const look = vi.hoisted(() => vi.fn(async (_seen: { isChunkGone: boolean }) => undefined));
vi.mock("./watch.ts", () => ({ look }));

beforeEach(() => {
  vi.useFakeTimers();
  look.mockClear();
  document.head.innerHTML = '<meta name="build" content="own">';
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const lostChunk = () => dispatchEvent(new Event("vite:preloadError"));

it("looks for builds once the reader touches the page, and at once when a chunk is gone", async () => {
  const preload = vi.fn(async () => undefined);
  startPwa(preload);
  await vi.advanceTimersByTimeAsync(0);
  expect(look).not.toHaveBeenCalled();
  document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  await vi.waitFor(() => expect(look).toHaveBeenLastCalledWith({ isChunkGone: false }));
  expect(preload).toHaveBeenCalled();
  lostChunk();
  await vi.waitFor(() => expect(look).toHaveBeenLastCalledWith({ isChunkGone: true }));
});

it("does not answer the loss of its own code with itself", async () => {
  let attempts = 0;
  startPwa(async () => {
    attempts += 1;
    lostChunk();
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  lostChunk();
  await vi.advanceTimersByTimeAsync(100);
  expect(attempts).toBe(1);
});
