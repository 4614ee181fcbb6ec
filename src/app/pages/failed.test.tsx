import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../../shared/http/call-error.ts";
import { render, settled } from "../../shared/testing/render.tsx";
import { FailedPage } from "./failed.tsx";

const unreachable = new CallError({ kind: "network", message: "gone" });
const broken = new CallError({ kind: "coded", message: "", httpStatus: 500, code: "ERR_INTERNAL_SERVER_ERROR" });
const garbage = new CallError({ kind: "unreadable", message: "", httpStatus: 200 });
const refused = new CallError({ kind: "coded", message: "", httpStatus: 403, code: "ERR_FORBIDDEN" });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function shown(error: unknown) {
  const retry = vi.fn();
  return { retry, view: await render(<FailedPage path="/" error={error} retry={retry} />) };
}

describe("a page that couldn't be loaded", () => {
  it.each([
    ["is not reached", unreachable],
    ["is broken", broken],
    ["talks nonsense", garbage],
  ])("checks by itself whether a service that %s is back, also as soon as the network is", async (_name, error) => {
    const { retry, view } = await shown(error);
    expect(retry).not.toHaveBeenCalled();
    await settled(() => vi.advanceTimersByTime(5_000));
    expect(retry).toHaveBeenCalledTimes(1);
    await settled(() => globalThis.dispatchEvent(new Event("online")));
    expect(retry).toHaveBeenCalledTimes(2);
    await view.unmount();
    globalThis.dispatchEvent(new Event("online"));
    vi.advanceTimersByTime(20_000);
    expect(retry).toHaveBeenCalledTimes(2);
  });

  it("is loaded anew with all of its code when that is what failed", async () => {
    const reload = vi.spyOn(location, "reload").mockReturnValue();
    const { retry, view } = await shown(new TypeError("Failed to fetch dynamically imported module"));
    await settled(() => view.get("button").click());
    expect([reload.mock.calls.length, retry.mock.calls.length]).toEqual([1, 0]);
    await view.unmount();
  });

  it("blames the network, not the service, for code that doesn't come without one", async () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const { view } = await shown(new TypeError("Failed to fetch dynamically imported module"));
    expect(view.container.textContent).toContain("This page needs the network");
    expect(view.container.textContent).not.toContain("500");
    await view.unmount();
    vi.restoreAllMocks();
  });

  it("leaves a service alone that has refused", async () => {
    const { retry, view } = await shown(refused);
    await settled(() => vi.advanceTimersByTime(20_000));
    expect(retry).not.toHaveBeenCalled();
    await view.unmount();
  });
});
