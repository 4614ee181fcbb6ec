import { describe, expect, it } from "vitest";
import { CrashPoints } from "../support/scenarios/crash-points.ts";
import { freshDatabase } from "../support/database/database.ts";
import { SandboxScenarios, type ScenarioEnd } from "../support/scenarios/sandbox-scenarios.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

/** A scenario has at least these points; fewer would mean that a call or a transaction was not counted. */
const MIN_POINTS: Record<ScenarioEnd, number> = { payout: 95, refund: 80, "stuck payout": 105, "stuck refund": 90 };

async function countPoints(scenarios: SandboxScenarios, end: ScenarioEnd): Promise<CrashPoints> {
  // The first scenario of a database also creates its ledger accounts, so its points differ from the others'.
  await scenarios.live(new CrashPoints(0), end);
  const points = new CrashPoints(0);
  await scenarios.live(points, end);
  process.stdout.write(`crash points of a ${end} over the simulated networks: N = ${points.count}\n`);
  return points;
}

describe("a process that dies at any point, over the networks that the sandbox simulates", () => {
  // At once, each in a database of its own: one scenario after the other waits for the database most of its time.
  it.concurrent.each(["payout", "refund", "stuck payout", "stuck refund"] as const)("makes one %s", async (end) => {
    await using database = await freshDatabase();
    const scenarios = await SandboxScenarios.over(database);
    const points = await countPoints(scenarios, end);
    const total = points.count;
    expect(total).toBeGreaterThanOrEqual(MIN_POINTS[end]);
    const unhurt: number[] = [];
    // A stuck one is like any other until it is replaced.
    const first = end.startsWith("stuck") ? points.names.indexOf("prepareReplacement, before") + 1 : 1;
    expect(first).toBeGreaterThan(0);
    for (let crashAt = first; crashAt <= total; crashAt += 1)
      if ((await scenarios.live(new CrashPoints(crashAt), end)) === null) unhurt.push(crashAt);
    expect(unhurt).toEqual([]);
    expect(await scenarios.violations()).toEqual([]);
    expect(await scenarios.replacements()).toBe(end.startsWith("stuck") ? total - first + 3 : 0);
  });
});
