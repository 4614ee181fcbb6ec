import { describe, expect, it } from "vitest";
import { type Health, type HealthEvent, nextHealth } from "./cycle.ts";

const answer = (status: Extract<HealthEvent, { kind: "answer" }>["status"]): HealthEvent => ({
  kind: "answer",
  status,
});
const failure: HealthEvent = { kind: "failure" };
const internet = (isThere: boolean): HealthEvent => ({ kind: "internet", isThere });
const ok = (failures = 0): Health => ({ shown: "OK", failures });

describe("one look at the service (spec §4)", () => {
  it.each([
    [ok(), answer("OK"), "OK", 0, 5_000],
    [ok(), answer("TECHNICAL_DIFFICULTIES"), "TECHNICAL_DIFFICULTIES", 0, 5_000],
    [ok(), answer("UNHEALTHY"), "UNHEALTHY", 0, 5_000],
    [ok(), answer("UNKNOWN"), "UNHEALTHY", 0, 5_000],
    [{ shown: "UNHEALTHY", failures: 9 }, answer("OK"), "OK", 0, 5_000],
    [{ shown: "TECHNICAL_DIFFICULTIES", failures: 2 }, answer("UNHEALTHY"), "UNHEALTHY", 0, 5_000],
    [ok(0), failure, "OK", 1, 7_500],
    [ok(1), failure, "OK", 2, 11_250],
    [ok(2), failure, "OK", 3, 16_875],
    [ok(3), failure, "OK", 4, "ask-internet"],
    [{ shown: "UNHEALTHY", failures: 0 }, failure, "UNHEALTHY", 1, 7_500],
    [{ shown: "UNHEALTHY", failures: 7 }, failure, "UNHEALTHY", 8, "ask-internet"],
    [ok(4), internet(true), "UNHEALTHY", 4, 25_312.5],
    [ok(5), internet(true), "UNHEALTHY", 5, 30_000],
    [ok(4), internet(false), "OK", 4, 25_312.5],
    [{ shown: "UNHEALTHY", failures: 40 }, internet(false), "OK", 40, 30_000],
  ] as const)("%j, %j: %s after %i failures, then %s", (health, event, shown, failures, next) => {
    expect(nextHealth(health, event)).toEqual({
      health: { shown, failures },
      next: typeof next === "number" ? { kind: "look", afterMs: next } : { kind: next },
    });
  });
});
