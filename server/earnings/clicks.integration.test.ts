import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { createReferralClicks, referralOf, type ReferralClicks } from "./clicks.ts";
import { referrerIdOf } from "./referrers.ts";

const NEVER_BY_ITSELF = 3_600_000;
let database: TestDatabase;
let now: Date;
let clicks: ReferralClicks;
let link: string;
beforeEach(async () => {
  database = await freshDatabase();
  now = new Date("2026-11-21T23:00:00Z");
  clicks = createReferralClicks({ database, clock: { now: () => now } }, NEVER_BY_ITSELF);
  const { id } = await database.kysely
    .insertInto("users")
    .values({ telegram_id: 1n })
    .returning("id")
    .executeTakeFirstOrThrow();
  link = await referrerIdOf(database.kysely, id, now);
});
afterEach(() => database.drop());

const counted = async () => {
  await clicks.flush();
  const { rows } = await database.pool.query<{ day: string; clicks: number }>(
    "select day::text, clicks from referral_clicks order by day",
  );
  return rows.map((row) => [row.day, row.clicks]);
};

it("a link's openings are counted once for a client and a day", async () => {
  for (const client of ["a", "b", "a"]) clicks.count(link.toLowerCase(), client);
  expect(await counted()).toEqual([["2026-11-21", 2]]);
  clicks.count(link, "a");
  clicks.count(link, "c");
  expect(await counted()).toEqual([["2026-11-21", 3]]);
  now = new Date("2026-11-22T01:00:00Z");
  clicks.count(link, "a");
  expect(await counted()).toEqual([
    ["2026-11-21", 3],
    ["2026-11-22", 1],
  ]);
});

it("unknown links count for nobody, and fill no memory", async () => {
  for (const one of ["", "x", "00000000", "a".repeat(10_000)]) clicks.count(one, "a");
  expect(await counted()).toEqual([]);
  for (let n = 0; n < 30_000; n += 1) clicks.count(link, `client ${n}`);
  expect(await counted()).toEqual([["2026-11-21", 20_000 - 1]]);
});

it("links that one client makes up keep nobody else's from being counted", async () => {
  for (let n = 0; n < 30_000; n += 1) clicks.count(String(n).padStart(8, "0"), "a");
  clicks.count(link, "b");
  expect(await counted()).toEqual([["2026-11-21", 1]]);
});

it("a link is read from a page's query, or from Telegram's start parameter", () => {
  expect(referralOf({ ref: "7KQ4M2XD" })).toBe("7KQ4M2XD");
  expect(referralOf({ tgWebAppStartParam: "ref___7KQ4M2XD" })).toBe("7KQ4M2XD");
  for (const query of [{}, null, { ref: ["a", "b"] }, { tgWebAppStartParam: "ex___btc-eth" }])
    expect(referralOf(query)).toBeNull();
});
