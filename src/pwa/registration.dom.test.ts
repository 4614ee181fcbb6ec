import { afterEach, beforeEach, expect, it, vi } from "vitest";

let registered: string[];
let unregistered: number;
let cached: Set<string>;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  [registered, unregistered, cached] = [[], 0, new Set(["wherry-build-a", "wherry-on-demand"])];
  const registration = Object.assign(new EventTarget(), { unregister: async () => (unregistered += 1) > 0 });
  const container = Object.assign(new EventTarget(), {
    register: async (url: string) => (registered.push(url), registration),
    getRegistrations: async () => [registration],
  });
  Object.defineProperty(navigator, "serviceWorker", { value: container, configurable: true });
  vi.stubGlobal("caches", { keys: async () => [...cached], delete: async (name: string) => cached.delete(name) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

const registerWorker = async () => (await import("./registration.ts")).registerWorker();

it("registers the worker once", async () => {
  expect(await registerWorker()).not.toBeNull();
  await registerWorker();
  expect(registered).toEqual(["/sw.js"]);
  expect(unregistered).toBe(0);
  expect(cached.size).toBe(2);
});

it("removes workers and caches in a build without one, each time, without waiting for the worker of the kill switch", async () => {
  vi.stubEnv("VITE_WORKER", "off");
  expect(await registerWorker()).toBeNull();
  expect([registered, unregistered, [...cached]]).toEqual([[], 1, []]);
  cached.add("wherry-on-demand");
  await vi.advanceTimersByTimeAsync(2_000);
  expect([...cached]).toEqual([]);
  cached.add("wherry-on-demand");
  await registerWorker();
  expect([unregistered, [...cached]]).toEqual([2, []]);
});
