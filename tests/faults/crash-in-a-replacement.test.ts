import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liveThroughCrashes } from "../support/scenarios/crash-points.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { StuckPayment, type StuckEnd } from "../support/scenarios/stuck-payment.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

const FULL = 1_491_500_000n;
/** Fewer would mean that a call or a transaction of the replacement was not counted. */
const MIN_POINTS = 60;
const PAIRS = 12;

const ENDS: [string, StuckEnd][] = [
  ["takes its place", "replacement"],
  ["is sent, while a miner takes the old one", "replaced"],
  ["is mined, until a reorganisation puts the old one there", "swapped"],
];

describe.each(ENDS)("a process that dies while the replacement of a stuck payment %s", (_, end) => {
  let begun: TestDatabase;
  let stuck: StuckPayment;

  beforeAll(async () => {
    begun = await freshDatabase();
    stuck = await StuckPayment.begin(begun, end);
  });
  afterAll(() => begun.drop());

  async function liveThrough(crashes: readonly number[]) {
    await using database = await begun.copy({ max: 2 });
    const scenario = stuck.continueIn(database);
    const { died, last } = await liveThroughCrashes(crashes, (points) => scenario.live(points));
    const broken = await scenario.violations();
    if (String(scenario.paid()) !== String([FULL])) broken.push(`it paid ${scenario.paid().join()}`);
    const { rows } = await database.pool.query<{ attempts: number }>(
      "select count(*)::int as attempts from payout_attempts",
    );
    return { broken, died, points: last, attempts: rows[0]?.attempts };
  }

  it("pays once, whichever point it is, and when it dies twice", async () => {
    const { broken, points, attempts } = await liveThrough([]);
    process.stdout.write(`crash points of a replacement (${end}): N = ${points.count}\n`);
    expect(broken).toEqual([]);
    expect(attempts).toBe(2);
    expect(points.count).toBeGreaterThanOrEqual(MIN_POINTS);
    expect(points.names).toContain("prepareReplacement, done but not returned");
    const failures: string[] = [];
    // What comes before is every other payment's, and crashed in crash-at-every-point.
    const first = points.names.indexOf("prepareReplacement, before") + 1;
    for (let crashAt = first; crashAt <= points.count; crashAt += 1) {
      const run = await liveThrough([crashAt]);
      if (run.died.length !== 1) failures.push(`k = ${crashAt}: nothing died`);
      failures.push(...run.broken.map((what) => `k = ${crashAt} (${run.died.join()}): ${what}`));
    }
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const one = first + ((pair * 7919) % (points.count - first));
      const two = 1 + ((pair * 104_729) % (points.count - first));
      const run = await liveThrough([one, two]);
      failures.push(...run.broken.map((what) => `k = ${one}, then ${two} (${run.died.join(", ")}): ${what}`));
    }
    expect(failures).toEqual([]);
  });
});
