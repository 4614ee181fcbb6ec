import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import { LoadingBar, nextBarPhase } from "./loading-bar.tsx";

let view: View;
beforeEach(async () => {
  vi.useFakeTimers();
  view = await render(<LoadingBar isLoading={false} />);
});
afterEach(async () => {
  await view.unmount();
  vi.useRealTimers();
});

const phase = () => /w-loading-bar--(\w+)/.exec(view.get(".w-loading-bar").className)?.[1];
const pass = (ms: number) => settled(() => vi.advanceTimersByTime(ms));

describe("the loading bar (spec §9)", () => {
  it("stays away for a load under 200 ms", async () => {
    await view.rerender(<LoadingBar isLoading />);
    await pass(199);
    await view.rerender(<LoadingBar isLoading={false} />);
    await pass(5_000);
    expect(phase()).toBe("idle");
  });

  it("runs, fills, stays 500 ms and is reset after 400 ms more", async () => {
    await view.rerender(<LoadingBar isLoading />);
    await pass(200);
    expect(phase()).toBe("running");
    expect(view.get("output").textContent).toBe("Loading the page");
    await view.rerender(<LoadingBar isLoading={false} />);
    await pass(0);
    expect(phase()).toBe("full");
    await pass(499);
    expect(phase()).toBe("full");
    await pass(1);
    expect(phase()).toBe("hiding");
    await pass(400);
    expect(phase()).toBe("idle");
    expect(view.get("output").textContent).toBe("");
  });
});

describe("its phases", () => {
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
});
