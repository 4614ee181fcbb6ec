import { describe, expect, it } from "vitest";
import { cycle, type Health, type HealthEvent, isPageReplaced } from "./cycle.ts";

const answer = (status: Extract<HealthEvent, { kind: "answer" }>["status"]): HealthEvent => ({
  kind: "answer",
  status,
});
const failure: HealthEvent = { kind: "failure" };
const internet = (isAvailable: boolean): HealthEvent => ({ kind: "internet", isAvailable });
const ok = (failures = 0): Health => ({ status: "OK", failures });

describe("the health check cycle (spec §4)", () => {
  it.each([
    [ok(), answer("OK"), "OK", 0, 5_000],
    [ok(), answer("TECHNICAL_DIFFICULTIES"), "TECHNICAL_DIFFICULTIES", 0, 5_000],
    [ok(), answer("UNHEALTHY"), "UNHEALTHY", 0, 5_000],
    [ok(), answer("UNKNOWN"), "UNHEALTHY", 0, 5_000],
    [{ status: "UNHEALTHY", failures: 9 }, answer("OK"), "OK", 0, 5_000],
    [{ status: "TECHNICAL_DIFFICULTIES", failures: 2 }, answer("UNHEALTHY"), "UNHEALTHY", 0, 5_000],
    [ok(0), failure, "OK", 1, 7_500],
    [ok(1), failure, "OK", 2, 11_250],
    [ok(2), failure, "OK", 3, 16_875],
    [ok(3), failure, "OK", 4, "checkInternet"],
    [{ status: "UNHEALTHY", failures: 0 }, failure, "UNHEALTHY", 1, 7_500],
    [{ status: "UNHEALTHY", failures: 7 }, failure, "UNHEALTHY", 8, "checkInternet"],
    [ok(4), internet(true), "UNHEALTHY", 4, 25_312.5],
    [ok(5), internet(true), "UNHEALTHY", 5, 30_000],
    [ok(4), internet(false), "OK", 4, 25_312.5],
    [{ status: "UNHEALTHY", failures: 40 }, internet(false), "OK", 40, 30_000],
  ] as const)("%j, %j: %s after %i failures, then %s", (health, event, status, failures, next) => {
    expect(cycle(health, event)).toEqual({
      health: { status, failures },
      next: typeof next === "number" ? { kind: "check", afterMs: next } : { kind: next },
    });
  });
});

describe("the non-working layout", () => {
  it.each([
    ["OK", "/", false],
    ["UNHEALTHY", "/", true],
    ["TECHNICAL_DIFFICULTIES", "/exchange-eth-btc", true],
    ["UNHEALTHY", "/orders", false],
    ["UNHEALTHY", "/order/abc", false],
    ["UNHEALTHY", "/orders-archive", true],
  ] as const)("with %s at %s: %s", (status, path, isReplaced) => {
    expect(isPageReplaced(status, path)).toBe(isReplaced);
  });
});
