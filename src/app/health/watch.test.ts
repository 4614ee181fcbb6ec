import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HealthEvent } from "./cycle.ts";
import { type HealthWatch, type Watched, watchHealth } from "./watch.ts";

const FIRST: Watched = { shown: "OK", failures: 0, since: null, lookedAt: null, nextAt: null };
let watch: HealthWatch | null = null;

/** A service that answers what it is told to, and an internet that comes and goes. */
function open() {
  const world = { service: "OK" as Extract<HealthEvent, { kind: "answer" }>["status"] | null, isInternet: true };
  const looks: number[] = [];
  const queries: number[] = [];
  let shown = FIRST;
  watch = watchHealth(FIRST, {
    look: async () => {
      looks.push(Date.now());
      return world.service === null ? { kind: "failure" } : { kind: "answer", status: world.service };
    },
    askInternet: async () => {
      queries.push(Date.now());
      return { kind: "internet", isThere: world.isInternet };
    },
    show: (watched) => (shown = watched),
  });
  return { world, looks, queries, shown: () => shown };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => {
  watch?.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the watch over the service (spec §4)", () => {
  it("looks every 5 s, shows a trouble with its times, and its end", async () => {
    const { world, looks, shown } = open();
    await pass(10_000);
    expect(looks).toEqual([5_000, 10_000]);
    world.service = "TECHNICAL_DIFFICULTIES";
    await pass(10_000);
    expect(shown()).toMatchObject({
      shown: "TECHNICAL_DIFFICULTIES",
      since: 15_000,
      lookedAt: 20_000,
      nextAt: 25_000,
    });
    world.service = "OK";
    await pass(5_000);
    expect(shown()).toMatchObject({ shown: "OK", since: 25_000 });
  });

  it("backs off, and shows a service that is gone only after the fourth failure and with the internet there", async () => {
    const { world, looks, queries, shown } = open();
    world.service = null;
    await pass(5_000 + 7_500 + 11_250);
    expect(queries).toEqual([]);
    expect(shown().shown).toBe("OK");
    await pass(16_875);
    expect(looks).toEqual([5_000, 12_500, 23_750, 40_625]);
    expect(queries).toEqual([40_625]);
    expect(shown()).toMatchObject({ shown: "UNHEALTHY", failures: 4 });
    world.isInternet = false;
    await pass(25_313);
    expect(shown().shown).toBe("OK");
  });

  it("looks when it is asked to, and once the page is seen again", async () => {
    const { looks } = open();
    await pass(1_000);
    watch?.lookNow();
    await pass(0);
    expect(looks).toEqual([1_000]);
    const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    await pass(60_000);
    expect(looks).toEqual([1_000]);
    hidden.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    await pass(5_000);
    expect(looks).toEqual([1_000, 61_000, 66_000]);
  });

  it("is silent once stopped", async () => {
    const { looks } = open();
    watch?.stop();
    await pass(60_000);
    expect(looks).toEqual([]);
  });
});
