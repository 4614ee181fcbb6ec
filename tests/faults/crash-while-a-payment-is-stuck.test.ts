import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BusyLitecoin } from "../chains/support/busy-litecoin.ts";
import { StuckSwap } from "../chains/support/stuck-swap.ts";
import { liveThroughCrashes } from "../support/scenarios/crash-points.ts";
import { freshDatabase } from "../support/database/database.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

const BUSY = 50n;
const START_LIMIT_MS = 400_000;
const LIMIT_MS = 1_200_000;
/** Each life on the real node takes seconds: every point with `SOAK=on`, else every fourth, beside all points on simulated chains. */
const STEP = process.env["SOAK"] === "on" ? 1 : 4;

const WAYS = {
  "replaces a stuck payment": { nodes: "busy", minPoints: 50, fees: ["network_fee"] },
  "pays for a stuck payment that no node replaces": {
    nodes: "replaces nothing",
    minPoints: 58,
    fees: ["network_fee", "child_fee"],
  },
} as const;

let busy: BusyLitecoin;

beforeAll(async () => {
  busy = await BusyLitecoin.start();
}, START_LIMIT_MS);
afterAll(() => busy?.end());

describe.each(Object.entries(WAYS))("a process that dies while it %s, on a real node of Litecoin", (_, way) => {
  beforeAll(() => busy.restart(way.nodes), START_LIMIT_MS);

  async function liveThrough(
    crashes: readonly number[],
  ): Promise<{ broken: string[]; died: string[]; points: number }> {
    await using database = await freshDatabase({ max: 2 });
    const swap = new StuckSwap(busy.network(), database);
    busy.line.behave();
    await swap.begin();
    busy.raiseFees(BUSY);
    const { died, last } = await liveThroughCrashes(crashes, (points) => swap.live(points));
    const broken = await swap.violations();
    const fees = (await swap.fees()).map(({ kind }) => kind);
    if (fees.join() !== way.fees.join()) broken.push(`the fees were booked as ${fees.join()}`);
    return { broken, died, points: last.count };
  }

  it(
    "pays once, and books what it cost",
    async () => {
      const { broken, points } = await liveThrough([]);
      process.stdout.write(`crash points of a stuck payment: N = ${points}\n`);
      expect(broken).toEqual([]);
      expect(points).toBeGreaterThanOrEqual(way.minPoints);
      const failures: string[] = [];
      for (let crashAt = 1; crashAt <= points; crashAt += STEP) {
        const run = await liveThrough([crashAt]);
        if (run.died.length === 0) failures.push(`k = ${crashAt}: nothing died`);
        failures.push(...run.broken.map((what) => `k = ${crashAt} (${run.died.join()}): ${what}`));
      }
      expect(failures).toEqual([]);
    },
    LIMIT_MS,
  );
});
