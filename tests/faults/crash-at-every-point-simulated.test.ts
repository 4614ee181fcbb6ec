import { describe, expect, it } from "vitest";
import { CrashPoints } from "../support/crash-points.ts";
import { freshDatabase } from "../support/database.ts";
import { SandboxScenarios, type ScenarioEnd } from "../support/sandbox-scenarios.ts";

/** A scenario has at least these points; fewer would mean that a call or a transaction was not counted. */
const MIN_POINTS = { payout: 95, refund: 80 } as const;

async function countPoints(scenarios: SandboxScenarios, end: ScenarioEnd): Promise<number> {
  // The first scenario of a database also creates its ledger accounts, so its points differ from the others'.
  await scenarios.live(new CrashPoints(0), end);
  const points = new CrashPoints(0);
  await scenarios.live(points, end);
  process.stdout.write(`crash points of a ${end} over the simulated networks: N = ${points.count}\n`);
  return points.count;
}

describe("a process that dies at any point, over the networks that the sandbox simulates", () => {
  // At once, each in a database of its own: one scenario after the other waits for the database most of its time.
  it.concurrent.each(["payout", "refund"] as const)("makes one %s, at whichever point", async (end) => {
    await using database = await freshDatabase();
    const scenarios = await SandboxScenarios.over(database);
    const total = await countPoints(scenarios, end);
    expect(total).toBeGreaterThanOrEqual(MIN_POINTS[end]);
    const unhurt: number[] = [];
    for (let crashAt = 1; crashAt <= total; crashAt += 1)
      if ((await scenarios.live(new CrashPoints(crashAt), end)) === null) unhurt.push(crashAt);
    expect(unhurt).toEqual([]);
    expect(await scenarios.violations()).toEqual([]);
  });
});
