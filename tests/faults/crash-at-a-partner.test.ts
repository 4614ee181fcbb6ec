import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liveThroughCrashes } from "../support/scenarios/crash-points.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { inParallel } from "../support/parallel.ts";
import { PartnerScenario, type Behaviour } from "../support/partners/partner-scenario.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

/** A scenario has at least these points; fewer would mean that a call or a transaction was not counted. */
const MIN_POINTS = 100;
/** The first points of a scenario's own: the intent, the refund address, and the unknown opening before the request. */
const BEFORE_OPENING = 8;
const PAIRS = 6;
/** Scenarios share nothing, so that several at once use what one leaves idle while it waits for the database. */
const CONCURRENCY = 3;

type Lived = { broken: string[]; died: string[]; names: string[] };
type Begun = { database: TestDatabase; scenario: PartnerScenario };

/** An order for each partner, begun once: every scenario goes on from it in a copy. */
const begun = new Map<string, Begun>();

beforeAll(async () => {
  for (const partner of ["changenow", "sideshift"]) {
    const database = await freshDatabase();
    const scenario = await new PartnerScenario(database).start();
    scenario.rates.provider = partner;
    scenario.rates.partners.clear();
    scenario.quote(partner, 2990n);
    // Earlier points are those of an order that the treasury fills: crash-at-every-point.test.ts.
    await scenario.beginUntilLastBlock();
    begun.set(partner, { database, scenario });
  }
});
afterAll(async () => {
  for (const { database, scenario } of begun.values()) {
    await scenario.stop();
    await database.drop();
  }
});

/** Runs one swap at a partner whose first processes die at the given points. */
async function liveThrough(
  crashes: readonly number[],
  behaviour: Behaviour = "delivers",
  partner = "changenow",
): Promise<Lived> {
  const original = begun.get(partner);
  if (original === undefined) throw new Error(`no order at ${partner} was begun`);
  await using database = await original.database.copy({ max: 2 });
  const scenario = await original.scenario.continueIn(database);
  try {
    for (const partner of Object.values(scenario.partners)) partner.behaviour = behaviour;
    const { died, last } = await liveThroughCrashes(crashes, (points) => scenario.live(points));
    return { broken: await scenario.violations(), died, names: last.names };
  } finally {
    await scenario.stop();
  }
}

/** The laws broken by a death at each of these points. */
async function brokenBy(points: readonly (readonly number[])[], ...how: [Behaviour?, string?]): Promise<string[]> {
  const failures = await inParallel(points, CONCURRENCY, async (crashes) => {
    const { broken, died } = await liveThrough(crashes, ...how);
    const where = `k = ${crashes.join(", then ")} (${died.join(", ")})`;
    return [...(died.length === 0 ? ["nothing died"] : []), ...broken].map((what) => `${where}: ${what}`);
  });
  return failures.flat();
}

const pointsFrom = (first: number, last: number): number[][] =>
  Array.from({ length: last - first + 1 }, (_, index) => [first + index]);

describe("a process that dies while a partner fills an order", () => {
  let undisturbed: Lived;

  beforeAll(async () => {
    undisturbed = await liveThrough([]);
  });

  it("pays the partner once and the customer once, whichever point it is from the decision on, and when it dies twice", async () => {
    const { broken, names } = undisturbed;
    const total = names.length;
    process.stdout.write(`crash points of a scenario at a partner: N = ${total}\n`);
    expect(broken).toEqual([]);
    expect(total).toBeGreaterThanOrEqual(MIN_POINTS);
    const decided = names.indexOf("open, before") + 1 - BEFORE_OPENING;
    expect(decided).toBeGreaterThan(0);
    expect(await brokenBy(pointsFrom(decided, total))).toEqual([]);
    const pairs = Array.from({ length: PAIRS }, (_, pair) => {
      const first = 1 + ((pair * 7919) % (total - 1));
      return [first, 1 + ((pair * 104_729) % (total - first))];
    });
    expect(await brokenBy(pairs)).toEqual([]);
  });

  it("loses nothing when the partner refunds, from its report on", async () => {
    const { broken, names } = await liveThrough([], "returns");
    expect(broken).toEqual([]);
    // Up to the first different answer, the scenario is the one above.
    const differs = names.findIndex((name, at) => name !== undisturbed.names[at]);
    const first = names.lastIndexOf("status, before", differs) + 1;
    process.stdout.write(`crash points of a scenario that a partner gives back: ${first} to ${names.length}\n`);
    expect(first).toBeGreaterThan(0);
    expect(await brokenBy(pointsFrom(first, names.length), "returns")).toEqual([]);
  });

  it("leaves an unpaid exchange behind, where the partner has no look-up", async () => {
    const { names } = await liveThrough([], "delivers", "sideshift");
    const opening = names.indexOf("open, before") + 1;
    expect(opening).toBeGreaterThan(1);
    expect(await brokenBy(pointsFrom(opening - 1, opening + 3), "delivers", "sideshift")).toEqual([]);
  });
});
