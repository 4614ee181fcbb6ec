import { useEffect } from "react";
import { SWRConfig } from "swr";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import type { ServiceHealth } from "./check.ts";
import { useHealth } from "./use-health.tsx";

let view: View | null = null;
// Loaded ahead, because a dynamic import takes no part in fake time.
beforeAll(() => import("../../shared/http/http-client.ts"));
beforeAll(async () => {
  vi.useFakeTimers({ now: 0 });
  await open();
  // The page is at rest from its first touch on.
  dispatchEvent(new Event("pointerdown"));
  await pass(0);
  await settled(() => vi.dynamicImportSettled());
  await close();
});
beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(close);

async function close(): Promise<void> {
  await view?.unmount();
  view = null;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

/** Renders the hook over a service whose answer the test sets; null is no answer. */
async function open() {
  const service = { status: "OK" as string | null, isInternetAvailable: true };
  const checks: number[] = [];
  const queries: number[] = [];
  vi.spyOn(console, "debug").mockReturnValue(undefined);
  vi.stubGlobal("fetch", async (input: string | Request) => {
    const url = typeof input === "string" ? input : input.url;
    if (!url.endsWith("/api/v1/health")) {
      queries.push(Date.now());
      if (!service.isInternetAvailable) throw new TypeError("no network");
      return Response.json({});
    }
    checks.push(Date.now());
    if (service.status === null) throw new TypeError("no answer");
    return Response.json({ status: service.status });
  });
  const current: { value: ServiceHealth | null } = { value: null };
  const Probe = () => {
    const { polling, ...health } = useHealth("OK", new Date(0).toISOString(), "https://dns.example/");
    useEffect(() => {
      current.value = health;
    });
    return polling;
  };
  const provider = () => new Map();
  view = await render(
    <SWRConfig value={{ provider }}>
      <Probe />
    </SWRConfig>,
  );
  await settled(() => vi.dynamicImportSettled());
  const health = () => {
    if (current.value === null) throw new Error("nothing is rendered");
    return current.value.health;
  };
  const checkNow = () => settled(() => current.value?.checkNow());
  return { service, checks, queries, health, checkNow };
}

const pass = (ms: number) => settled(() => vi.advanceTimersByTimeAsync(ms));

describe("the service's health (spec §4)", () => {
  it("is checked every 5 s, and shows a problem with its times and its end", async () => {
    const { service, checks, health } = await open();
    await pass(10_000);
    expect(checks).toEqual([5_000, 10_000]);
    service.status = "TECHNICAL_DIFFICULTIES";
    await pass(10_000);
    expect(health()).toMatchObject({
      status: "TECHNICAL_DIFFICULTIES",
      since: 15_000,
      checkedAt: 20_000,
      nextAt: 25_000,
    });
    service.status = "OK";
    await pass(5_000);
    expect(health()).toMatchObject({ status: "OK", since: 25_000 });
  });

  it("backs off, and is down only after the fourth failure and with the internet available", async () => {
    const { service, checks, queries, health } = await open();
    service.status = null;
    await pass(5_000 + 7_500 + 11_250);
    expect(queries).toEqual([]);
    expect(health().status).toBe("OK");
    await pass(16_875);
    expect(checks).toEqual([5_000, 12_500, 23_750, 40_625]);
    expect(queries).toEqual([40_625]);
    expect(health()).toMatchObject({ status: "UNHEALTHY", failures: 4 });
    service.isInternetAvailable = false;
    await pass(25_313);
    expect(health().status).toBe("OK");
  });

  it("is checked on demand, and when the page becomes visible again", async () => {
    const { checks, checkNow } = await open();
    await pass(1_000);
    await checkNow();
    expect(checks).toEqual([1_000]);
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    await pass(60_000);
    expect(checks).toEqual([1_000]);
    visibility.mockReturnValue("visible");
    await settled(() => document.dispatchEvent(new Event("visibilitychange")));
    await pass(0);
    expect(checks).toEqual([1_000, 61_000]);
  });

  it("is not checked once the page is gone", async () => {
    const { checks } = await open();
    await view?.unmount();
    view = null;
    await pass(60_000);
    expect(checks).toEqual([]);
  });
});
