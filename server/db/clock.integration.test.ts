import { afterEach, beforeEach, expect, it } from "vitest";
import { inTransaction } from "./transaction.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { MAX_AHEAD_MS, openClock, readMarkAhead, resetMark } from "./clock.ts";

const HOUR = 3_600_000;
let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const clockAt = (system: () => number, errors: object[] = [], isSandbox = true) =>
  openClock(database, { error: (data: object) => void errors.push(data) } as never, {
    system,
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

const YEAR = 365 * 24 * HOUR;
const isNear = (time: Date) => Math.abs(time.getTime() - Date.now()) < MAX_AHEAD_MS;

it("takes no time that is far ahead of the database's, and reports such a clock once", async () => {
  let system = Date.now();
  const errors: object[] = [];
  const one = await clockAt(() => system, errors);
  const other = await clockAt(() => Date.now());
  system += YEAR;
  for (let time = 0; time < 3; time += 1) await one.refresh();
  await other.refresh();
  const late = await clockAt(() => Date.now() + YEAR, errors);
  for (const clock of [one, other, late]) expect(isNear(clock.now())).toBe(true);
  expect(errors).toHaveLength(2);
  expect(await readMarkAhead(database.kysely)).toBeLessThan(MAX_AHEAD_MS);
});

it("is led back for every process, and by none of them ahead again", async () => {
  const one = await clockAt(() => Date.now());
  const other = await clockAt(() => Date.now());
  await database.pool.query(
    "update settings set value = jsonb_build_object('ms', $1::bigint) where key = 'clock_mark'",
    [Date.now() + YEAR],
  );
  for (const clock of [one, other]) {
    await clock.refresh();
    expect(isNear(clock.now())).toBe(false);
  }
  expect(await readMarkAhead(database.kysely)).toBeGreaterThan(YEAR / 2);
  await inTransaction(database, resetMark);
  // The write of a mark is due again: what this process had is not in it.
  for (const clock of [one, other, one]) await clock.refresh();
  for (const clock of [one, other]) expect(isNear(clock.now())).toBe(true);
  expect(await readMarkAhead(database.kysely)).toBeLessThan(MAX_AHEAD_MS);
});
