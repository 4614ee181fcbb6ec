import { beforeAll, expect, it } from "vitest";
import { prepareStatements } from "./prepared-statements.ts";
import { simulate } from "./simulate.ts";
import type { PlantedBug } from "./planted-bugs.ts";

const FIRST_SEEDS = [1, 2, 3];
const LIVES = 60;

beforeAll(prepareStatements);

async function firstViolation(bug: PlantedBug): Promise<string | null> {
  for (const seed of FIRST_SEEDS) {
    const { violations } = await simulate(seed, LIVES, bug);
    if (violations[0] !== undefined) return violations[0];
  }
  return null;
}

it.each([
  ["credit without depth", /was credited/],
  ["payment built anew", /which nothing promised/],
  ["second payment intended", /payments$/],
] as const)("the simulation notices a %s within its first seeds", async (bug, violation) => {
  expect(await firstViolation(bug)).toMatch(violation);
});

it("the database stops a second payment, whoever intends it", async () => {
  expect(await firstViolation("second payment refused")).toBeNull();
});

it("the same seed plays the same world", async () => {
  const first = await simulate(7, LIVES);
  const again = await simulate(7, LIVES);
  expect(again.digest).toBe(first.digest);
  expect([...again.tally.counts]).toEqual([...first.tally.counts]);
});
