import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../../lib/call-error.ts";
import { render, settled } from "../../lib/testing/render.tsx";
import { FailedPage } from "./failed.tsx";

const unreachable = new CallError({ kind: "network", message: "gone" });
const broken = new CallError({ kind: "coded", message: "", httpStatus: 500, code: "ERR_INTERNAL_SERVER_ERROR" });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function shown(error: unknown) {
  const retry = vi.fn();
  return { retry, view: await render(<FailedPage path="/" error={error} retry={retry} />) };
}

describe("a page that couldn't be loaded", () => {
  it("looks by itself whether the service is back, also as soon as the network is, until it is left", async () => {
    const { retry, view } = await shown(unreachable);
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

  it("leaves a service that has answered alone", async () => {
    const { retry, view } = await shown(broken);
    await settled(() => vi.advanceTimersByTime(20_000));
    expect(retry).not.toHaveBeenCalled();
    await view.unmount();
  });
});
