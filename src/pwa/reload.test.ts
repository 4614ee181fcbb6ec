import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** The modules anew: the worker is registered once. */
const modules = async () => ({
  ...(await import("./reload.ts")),
  ...(await import("./reload-block.ts")),
  ...(await import("../shared/browser/storage.ts")),
});

/** A waiting worker that is asked to activate; `isSilent`: as on iOS, no event says that it controls the page. */
function stubWorker({ isSilent }: { isSilent: boolean }) {
  const container = Object.assign(new EventTarget(), {
    register: async () => Object.assign(new EventTarget(), { waiting }),
  });
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
  vi.resetModules();
  reload = vi.fn();
  vi.stubGlobal("location", { reload, href: "https://wherry.test/" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("the page reloads itself at most once in ten seconds (spec §9)", async () => {
  const { reloadIntoUpdate } = await modules();
  vi.stubGlobal("navigator", {});
  const reloadsAt: number[] = [];
  for (const now of [100_000, 109_999, 110_000, 110_001]) {
    vi.setSystemTime(now);
    reload.mockImplementation(() => reloadsAt.push(now));
    await reloadIntoUpdate();
  }
  expect(reloadsAt).toEqual([100_000, 110_000]);
});

it.each(["tomorrow", "1e999", "-5", "2000000"])("a saved time of %s does not stop it", async (saved) => {
  const { reloadIntoUpdate, sessionStore } = await modules();
  vi.stubGlobal("navigator", {});
  sessionStore.set("wherry-reloaded-at", saved);
  await reloadIntoUpdate();
  expect(reload).toHaveBeenCalledTimes(1);
});

describe("a reload into the new build", () => {
  it("activates the waiting worker first, and happens once for two presses", async () => {
    const { reloadIntoUpdate } = await modules();
    const told = stubWorker({ isSilent: false });
    await Promise.all([reloadIntoUpdate(), reloadIntoUpdate()]);
    expect(told).toEqual([{ type: "SKIP_WAITING" }]);
    expect(reload).toHaveBeenCalledTimes(1);
    await reloadIntoUpdate();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("does not wait for ever where no event says that the worker controls the page", async () => {
    const { reloadIntoUpdate } = await modules();
    stubWorker({ isSilent: true });
    const done = reloadIntoUpdate();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("happens where the browser refuses workers too", async () => {
    const { reloadIntoUpdate } = await modules();
    vi.spyOn(console, "warn").mockReturnValue();
    const register = () => Promise.reject(new DOMException("denied", "NotSupportedError"));
    vi.stubGlobal("navigator", { serviceWorker: Object.assign(new EventTarget(), { register }) });
    await reloadIntoUpdate();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("happens without a worker too", async () => {
    const { reloadIntoUpdate } = await modules();
    vi.stubGlobal("navigator", {});
    await reloadIntoUpdate();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("waits until nothing blocks it", async () => {
    const { blockReload, reloadIntoUpdate } = await modules();
    vi.stubGlobal("navigator", {});
    const [one, other] = [blockReload(), blockReload()];
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
