import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sessionStore } from "../storage.ts";
import { claimReload } from "./reload.ts";
import { checkForUpdate } from "./updates.ts";

beforeEach(() => {
  document.head.innerHTML = '<meta name="build" content="one">';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  sessionStore.remove("wherry-reloaded-at");
});

const answer = (body: unknown, ok = true) => {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => ({ ok, json: async () => body }));
  vi.stubGlobal("fetch", fetched);
  return fetched;
};

describe("the newest build", () => {
  it("is asked for past every cache", async () => {
    const fetched = answer({ id: "one", timestamp: 1 });
    expect(await checkForUpdate()).toBe(false);
    expect(fetched.mock.calls[0]?.[0]).toMatch(/^\/builds\/latest\.json\?\d+$/);
    expect(fetched.mock.calls[0]?.[1]).toEqual({ cache: "no-store" });
  });

  it("is news when it is another one", async () => {
    answer({ id: "two" });
    expect(await checkForUpdate()).toBe(true);
  });

  it.each([[{}], [null], ["two"], [{ id: 2 }]])("is unknown when the answer is %j", async (body) => {
    answer(body);
    expect(await checkForUpdate()).toBe(false);
  });

  it("is unknown without a network or with an error", async () => {
    vi.spyOn(console, "debug").mockReturnValue(undefined);
    answer({ id: "two" }, false);
    expect(await checkForUpdate()).toBe(false);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    expect(await checkForUpdate()).toBe(false);
  });
});

it("the page reloads itself at most once in ten seconds (spec §9)", () => {
  expect(claimReload(100_000)).toBe(true);
  expect(claimReload(109_999)).toBe(false);
  expect(claimReload(110_000)).toBe(true);
  expect(claimReload(110_001)).toBe(false);
});
