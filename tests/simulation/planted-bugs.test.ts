import { beforeAll, expect, it } from "vitest";
import { prepareStatements } from "../support/database/prepared-statements.ts";
import { simulate } from "./simulate.ts";
import type { PlantedBug } from "./planted-bugs.ts";

const FIRST_SEEDS = [1, 2, 3];
const ORDERS = 24;
/** Enough for every kind of event. */
const REPLAYED_ORDERS = 12;

beforeAll(prepareStatements);

/** The violations of the first run that has any. */
async function firstViolations(bug: PlantedBug, seeds = FIRST_SEEDS): Promise<string[]> {
  for (const seed of seeds) {
    const { violations } = await simulate(seed, ORDERS, bug);
    if (violations.length > 0) return violations;
  }
  return [];
}

it.each([
  ["credit without depth", /was credited/],
  ["payment built again", /which nothing promised/],
  // Both payments arrive: of an order or of a withdrawal, whichever the seed replaces.
  ["replacement on another nonce", /which nothing promised|is settled and was paid: (\d+),\1/],
  ["second payment intended", /payments$/],
  ["accrual without completion", /has earned CASHBACK \d+ instead of nothing/],
  ["withdrawal paid twice", /is settled and was paid: (\d+),\1/],
] as const)("the simulation notices a %s within its first seeds", async (bug, violation) => {
  expect(await firstViolations(bug)).toContainEqual(expect.stringMatching(violation));
});

it("the database stops a second payment, whoever intends it", async () => {
  expect(await firstViolations("second payment refused", [1])).toEqual([]);
});

it("the same seed replays the same simulation", async () => {
  const first = await simulate(7, REPLAYED_ORDERS);
  const again = await simulate(7, REPLAYED_ORDERS);
  expect(again.digest).toBe(first.digest);
  expect([...again.faultLog.counts]).toEqual([...first.faultLog.counts]);
});
