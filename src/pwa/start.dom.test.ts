import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startPwa } from "./start.ts";

const checkForUpdate = vi.hoisted(() => vi.fn(async (_seen: { isChunkGone: boolean }) => undefined));
vi.mock("./update-check.ts", () => ({ checkForUpdate }));
vi.mock("./registration.ts", () => ({ registerWorker: async () => null }));

/** A page's listeners outlive its test, and would answer the next one's events. */
const leave: (() => void)[] = [];

beforeEach(() => {
  const listen = globalThis.addEventListener.bind(globalThis);
  vi.spyOn(globalThis, "addEventListener").mockImplementation(
    (type: string, listener: EventListenerOrEventListenerObject) => {
      listen(type, listener);
      leave.push(() => globalThis.removeEventListener(type, listener));
    },
  );
  vi.useFakeTimers();
  checkForUpdate.mockClear();
  document.head.innerHTML = '<meta name="build" content="own">';
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => {
  for (const stop of leave.splice(0)) stop();
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

it("does not answer it either where both of its chunks are lost, one after the other", async () => {
  vi.resetModules();
  vi.doMock("./update-check.ts", () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  const { startPwa: startAnew } = await import("./start.ts");
  let attempts = 0;
  startAnew(async () => {
    attempts += 1;
    await new Promise((later) => setTimeout(later, 1_000));
    lostChunk();
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  lostChunk();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(attempts).toBe(1);
});
