import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liveThroughCrashes } from "../support/scenarios/crash-points.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { RefusedPayment } from "../support/scenarios/refused-payment.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

const FULL = 1_491_500_000n;
const MIN_POINTS = 40;

const ENDS = {
  /** The empty payment took the nonce: nothing was paid, and an operator decides. */
  "nobody has": { leaks: false, paid: { refused: [], behind: [FULL] }, state: "review" },
  /** The payment was mined after all. */
  "miners have all the same": { leaks: true, paid: { refused: [FULL], behind: [FULL] }, state: "final" },
} as const;

describe.each(Object.entries(ENDS))("a process that dies while it cancels a refused payment that %s", (_, end) => {
  let begun: TestDatabase;
  let refused: RefusedPayment;

  beforeAll(async () => {
    begun = await freshDatabase();
    refused = await RefusedPayment.begin(begun, end.leaks);
  });
  afterAll(() => begun.drop());

  async function liveThrough(
    crashes: readonly number[],
  ): Promise<{ broken: string[]; died: string[]; points: number }> {
    await using database = await begun.copy({ max: 2 });
    const scenario = refused.continueIn(database);
    const { died, last } = await liveThroughCrashes(crashes, (points) => scenario.live(points));
    const broken = await scenario.violations();
    const paid = scenario.paid();
    if (String(paid.refused) !== String(end.paid.refused))
      broken.push(`the refused payment paid ${paid.refused.join()}`);
    if (String(paid.behind) !== String(end.paid.behind)) broken.push(`the one behind it paid ${paid.behind.join()}`);
    const [first, behind] = await scenario.payouts();
    if (first?.state !== end.state || first.reserved) broken.push(`it ended as ${JSON.stringify(first)}`);
    if (behind?.state !== "final") broken.push(`the one behind it ended as ${JSON.stringify(behind)}`);
    return { broken, died, points: last.count };
  }

  it("uses the nonce once, and never pays twice", async () => {
    const { broken, points } = await liveThrough([]);
    process.stdout.write(`crash points of a cancellation: N = ${points}\n`);
    expect(broken).toEqual([]);
    expect(points).toBeGreaterThanOrEqual(MIN_POINTS);
    const failures: string[] = [];
    for (let crashAt = 1; crashAt <= points; crashAt += 1) {
      const run = await liveThrough([crashAt]);
      failures.push(...run.broken.map((what) => `k = ${crashAt} (${run.died.join()}): ${what}`));
    }
    expect(failures).toEqual([]);
  });
});
