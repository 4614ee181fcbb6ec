import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sessionStore } from "../shared/browser/storage.ts";
import { claimReload, reloadIntoUpdate } from "./reload.ts";
import { holdReload } from "./reload-hold.ts";

/** A waiting worker that is told to take over; `isSilent`: as on iOS, nobody says that it did. */
function stubWorker({ isSilent }: { isSilent: boolean }) {
  const container = Object.assign(new EventTarget(), { getRegistration: async () => ({ waiting }) });
  const told: unknown[] = [];
  const waiting = {
    postMessage: (message: unknown) => {
      told.push(message);
      if (!isSilent) container.dispatchEvent(new Event("controllerchange"));
    },
  };
  vi.stubGlobal("navigator", { serviceWorker: container });
  return told;
}

let reload: ReturnType<typeof vi.fn>;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  reload = vi.fn();
  vi.stubGlobal("location", { reload });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sessionStore.remove("wherry-reloaded-at");
});

it("the page reloads itself at most once in ten seconds (spec §9)", () => {
  expect(claimReload(100_000)).toBe(true);
  expect(claimReload(109_999)).toBe(false);
  expect(claimReload(110_000)).toBe(true);
  expect(claimReload(110_001)).toBe(false);
});

describe("a reload into the new build", () => {
  it("lets the waiting worker take over first, and happens once for two presses", async () => {
    const told = stubWorker({ isSilent: false });
    await Promise.all([reloadIntoUpdate(), reloadIntoUpdate()]);
    expect(told).toEqual([{ type: "SKIP_WAITING" }]);
    expect(reload).toHaveBeenCalledTimes(1);
    await reloadIntoUpdate();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("does not wait for ever where nobody says that the worker took over", async () => {
    stubWorker({ isSilent: true });
    const done = reloadIntoUpdate();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("happens where the browser refuses workers too", async () => {
    vi.spyOn(console, "debug").mockReturnValue();
    const getRegistration = () => Promise.reject(new DOMException("denied", "NotSupportedError"));
    vi.stubGlobal("navigator", { serviceWorker: { getRegistration } });
    await reloadIntoUpdate();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("happens without a worker too", async () => {
    vi.stubGlobal("navigator", {});
    await reloadIntoUpdate();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("waits until nothing holds it", async () => {
    vi.stubGlobal("navigator", {});
    const [one, other] = [holdReload(), holdReload()];
    const done = reloadIntoUpdate();
    one();
    one();
    await vi.advanceTimersByTimeAsync(200_000);
    expect(reload).not.toHaveBeenCalled();
    other();
    await done;
    expect(reload).toHaveBeenCalledTimes(1);
  });
});
