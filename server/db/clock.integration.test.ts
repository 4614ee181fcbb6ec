import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { createSteadyTime } from "../base/steady-time.ts";
import { openClock } from "./clock.ts";

const HOUR = 3_600_000;
let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const clockAt = (system: () => number, errors: object[] = [], isSandbox = true) =>
  openClock(database, { error: (data: object) => void errors.push(data) } as never, {
    time: createSteadyTime(system),
    isSandbox,
  });

it("goes on from the time that the last process reached, when the system's clock was set back in between", async () => {
  const before = await clockAt(() => 10 * HOUR);
  expect(before.now().getTime()).toBeGreaterThanOrEqual(10 * HOUR);
  const errors: object[] = [];
  const after = await clockAt(() => 9 * HOUR, errors);
  expect(after.now().getTime()).toBeGreaterThanOrEqual(10 * HOUR);
  expect(errors).toEqual([{ seconds: 3600 }]);
});

it("keeps processes on one time, and reports a clock that is behind once", async () => {
  let ahead = 10 * HOUR;
  const one = await clockAt(() => ahead);
  const errors: object[] = [];
  const other = await clockAt(() => 10 * HOUR, errors);
  ahead += HOUR;
  await one.refresh();
  await other.refresh();
  expect(other.now().getTime()).toBeGreaterThanOrEqual(11 * HOUR);
  await other.refresh();
  expect(errors).toEqual([{ seconds: 3600 }]);
});

it("is moved forward for every process", async () => {
  const one = await clockAt(() => 10 * HOUR);
  const other = await clockAt(() => 10 * HOUR);
  await one.advance(600);
  await other.refresh();
  expect(other.offsetSeconds()).toBe(600);
  expect(other.now().getTime()).toBeGreaterThanOrEqual(10 * HOUR + 600_000);
});

it("is not moved by a sandbox where this process runs none", async () => {
  const sandbox = await clockAt(() => 10 * HOUR);
  await sandbox.advance(HOUR / 1000);
  const live = await clockAt(() => 10 * HOUR, [], false);
  expect(live.now().getTime()).toBeLessThan(10 * HOUR + 1000);
  await sandbox.advance(HOUR / 1000);
  await live.refresh();
  expect(live.offsetSeconds()).toBe(0);
});
