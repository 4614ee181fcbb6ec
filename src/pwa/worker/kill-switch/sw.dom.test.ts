import { beforeAll, beforeEach, expect, it } from "vitest";

const done: string[] = [];
let kept = new Set<string>();

const scope = {
  skipWaiting: async () => void done.push("takes over"),
  registration: { unregister: async () => done.push("unregistered") > 0 },
  caches: {
    keys: async () => [...kept],
    delete: async (name: string) => kept.delete(name),
  },
};

beforeAll(async () => {
  Object.assign(globalThis, scope);
  await import("./sw.ts");
});
beforeEach(() => {
  done.length = 0;
  kept = new Set(["wherry-build-a", "wherry-pages-a", "wherry-on-demand", "workbox-of-long-ago"]);
});

/** The browser tells the worker, and waits for what it asks to be waited for. */
async function happen(name: "install" | "activate"): Promise<void> {
  const awaited: Promise<unknown>[] = [];
  globalThis.dispatchEvent(
    Object.assign(new Event(name), { waitUntil: (work: Promise<unknown>) => awaited.push(work) }),
  );
  expect(awaited).toHaveLength(1);
  await Promise.all(awaited);
}

it("takes the place of any other worker without waiting for its pages, and touches nothing before", async () => {
  await happen("install");
  expect(done).toEqual(["takes over"]);
  expect(kept.size).toBe(4);
});

it("leaves neither itself nor anything that a worker stored", async () => {
  await happen("activate");
  expect(done).toEqual(["unregistered"]);
  expect([...kept]).toEqual([]);
});

it("answers no request", () => {
  const event = Object.assign(new Event("fetch"), { respondWith: () => done.push("answered") });
  globalThis.dispatchEvent(event);
  expect(done).toEqual([]);
});
