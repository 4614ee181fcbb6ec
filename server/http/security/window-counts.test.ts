import { describe, expect, it } from "vitest";
import { createWindowCounts } from "./window-counts.ts";

describe("counts of names within a window", () => {
  const open = (names = 10) => {
    const clock = { at: 0 };
    const count = createWindowCounts({ max: 2, windowMs: 60_000, names, now: () => clock.at });
    return { clock, isExceeded: (name: string) => count(name).isExceeded, count };
  };

  it("are exceeded by one too many, each name by itself", () => {
    const { isExceeded } = open();
    expect(["a", "a", "a", "b"].map(isExceeded)).toEqual([false, false, true, false]);
  });

  it("say what is left and in how many seconds the window ends, and begin anew then", () => {
    const { clock, count } = open();
    expect([count("a"), count("a")].map(({ remaining }) => remaining)).toEqual([1, 0]);
    clock.at = 30_500;
    expect(count("a")).toEqual({ isExceeded: true, remaining: 0, ttlInSeconds: 30 });
    clock.at = 60_000;
    expect(count("a")).toEqual({ isExceeded: false, remaining: 1, ttlInSeconds: 60 });
  });

  it("forget the name that was counted longest ago when there are too many", () => {
    const { isExceeded } = open(2);
    for (const name of ["a", "a", "b", "b", "a"]) isExceeded(name);
    expect(isExceeded("c")).toBe(false);
    expect(isExceeded("a")).toBe(true);
    expect(isExceeded("b")).toBe(false);
  });
});
