import { expect } from "vitest";
import { Tally } from "./faults.ts";
import { prepareStatements } from "./prepared-statements.ts";
import { simulate } from "./simulate.ts";

/** Orders that live at once in one run. */
export const LIVES = 500;
const WORLDS = 10;

/**
 * Plays ten runs of five hundred faulty orders each, from a first seed on; `SIM_SEED` in the environment plays that one run again
 * and no other. Prints what struck, and fails on the first broken law or on a fault that never struck.
 */
export async function storm(firstSeed: number): Promise<void> {
  prepareStatements();
  const wanted = process.env["SIM_SEED"];
  const all = Array.from({ length: WORLDS }, (_, at) => firstSeed + at);
  const seeds =
    wanted === undefined
      ? all
      : all
          .slice(0, 1)
          .filter((seed) => seed === 1)
          .map(() => Number(wanted));
  const tally = new Tally();
  const ends = new Map<string, number>();
  const startedAt = performance.now();
  let scenarios = 0;
  for (const seed of seeds) {
    const testEngine = await simulate(seed, LIVES);
    scenarios += testEngine.scenarios;
    tally.add(testEngine.tally);
    for (const [state, count] of testEngine.ends) ends.set(state, (ends.get(state) ?? 0) + count);
    if (wanted !== undefined) process.stdout.write(`seed ${seed}: fingerprint ${testEngine.digest}\n`);
    expect(testEngine.violations, `replay it with: SIM_SEED=${seed} npm run simulate`).toEqual([]);
  }
  if (seeds.length === 0) return;
  const ended = [...ends].map(([state, count]) => `${count} ${state}`).join(", ");
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    `simulation: ${scenarios} scenarios in ${seconds} s, seeds ${seeds[0]}–${seeds.at(-1)}, 0 violations\n  ${ended}\n${tally.toString()}\n`,
  );
  if (wanted === undefined) expect(tally.missing, "faults that never struck").toEqual([]);
}
