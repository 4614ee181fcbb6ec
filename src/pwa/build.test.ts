import { afterEach, expect, it, vi } from "vitest";
import { latestBuild } from "./build.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const answer = (body: unknown, ok = true) => {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => ({ ok, json: async () => body }));
  vi.stubGlobal("fetch", fetched);
  return fetched;
};

it("is asked for past every cache", async () => {
  const fetched = answer({ id: "one", timestamp: 1 });
  expect(await latestBuild()).toBe("one");
  expect(fetched.mock.calls[0]?.[0]).toMatch(/^\/builds\/latest\.json\?\d+$/);
  expect(fetched.mock.calls[0]?.[1]).toEqual({ cache: "no-store" });
});

it.each([[{}], [null], ["two"], [{ id: 2 }]])("is unknown when the answer is %j", async (body) => {
  answer(body);
  expect(await latestBuild()).toBeNull();
});

it("is unknown without a network or with an error", async () => {
  vi.spyOn(console, "debug").mockReturnValue(undefined);
  answer({ id: "two" }, false);
  expect(await latestBuild()).toBeNull();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
  expect(await latestBuild()).toBeNull();
});
