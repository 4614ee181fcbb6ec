import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startPwa } from "./start.ts";

const checkForUpdate = vi.hoisted(() => vi.fn(async (_seen: { isChunkGone: boolean }) => undefined));
vi.mock("./update-check.ts", () => ({ checkForUpdate }));
vi.mock("./registration.ts", () => ({ registerWorker: async () => null }));

beforeEach(() => {
  vi.useFakeTimers();
  checkForUpdate.mockClear();
  document.head.innerHTML = '<meta name="build" content="own">';
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const lostChunk = () => dispatchEvent(new Event("vite:preloadError"));

it("checks for updates once the user touches the page, and at once when a chunk is gone", async () => {
  const preload = vi.fn(async () => undefined);
  startPwa(preload);
  await vi.advanceTimersByTimeAsync(0);
  expect(checkForUpdate).not.toHaveBeenCalled();
  document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  await vi.waitFor(() => expect(checkForUpdate).toHaveBeenLastCalledWith({ isChunkGone: false }));
  expect(preload).toHaveBeenCalled();
  lostChunk();
  await vi.waitFor(() => expect(checkForUpdate).toHaveBeenLastCalledWith({ isChunkGone: true }));
});

it("does not answer the loss of its own chunk with itself", async () => {
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
