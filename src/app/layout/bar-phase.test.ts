import { describe, expect, it } from "vitest";
import { DURATION_MS, nextBarPhase } from "./bar-phase.ts";

describe("the loading bar's phases (spec §9)", () => {
  it.each([
    ["idle", true, "running", 200],
    ["idle", false, null, null],
    ["running", true, null, null],
    ["running", false, "full", 0],
    ["full", true, "running", 200],
    ["full", false, "hiding", 500],
    ["hiding", true, "running", 200],
    ["hiding", false, "idle", 400],
  ] as const)("%s, loading %s: %s after %s ms", (phase, isLoading, to, afterMs) => {
    expect(nextBarPhase(phase, isLoading)).toEqual(to === null ? null : { to, afterMs });
  });

  it("runs for two seconds", () => expect(DURATION_MS).toBe(2_000));
});
