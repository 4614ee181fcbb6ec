import { expect } from "vitest";
import { FaultLog } from "./faults.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";
import { simulate } from "./simulate.ts";

const IS_SOAK = process.env["SOAK"] === "on";
/** Concurrent orders of one run: with `SOAK=on` 10,000 in all runs together, else a tenth over the same seeds. */
const ORDERS = IS_SOAK ? 500 : 50;
const RUNS = 10;

/**
 * Simulates ten runs from a first seed on; `SIM_SEED` in the environment replays that one run and no other. Prints how
 * often each fault struck, and fails on the first broken law or on a fault that never struck.
 */
export async function runSeeds(firstSeed: number): Promise<void> {
  prepareStatements();
  const wanted = process.env["SIM_SEED"];
  const all = Array.from({ length: RUNS }, (_, at) => firstSeed + at);
  const seeds =
    wanted === undefined
      ? all
      : all
          .slice(0, 1)
          .filter((seed) => seed === 1)
          .map(() => Number(wanted));
  const faultLog = new FaultLog();
  const ends = new Map<string, number>();
  const startedAt = performance.now();
  let scenarios = 0;
  for (const seed of seeds) {
    const run = await simulate(seed, ORDERS);
    scenarios += run.scenarios;
    faultLog.add(run.faultLog);
    for (const [state, count] of run.ends) ends.set(state, (ends.get(state) ?? 0) + count);
    if (wanted !== undefined) process.stdout.write(`seed ${seed}: fingerprint ${run.digest}\n`);
    expect(run.violations, `replay it with: ${IS_SOAK ? "SOAK=on " : ""}SIM_SEED=${seed} npm run simulate`).toEqual([]);
  }
  if (seeds.length === 0) return;
  const ended = [...ends].map(([state, count]) => `${count} ${state}`).join(", ");
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    `simulation: ${scenarios} scenarios in ${seconds} s, seeds ${seeds[0]}–${seeds.at(-1)}, 0 violations\n  ${ended}\n${faultLog.toString()}\n`,
  );
  if (wanted === undefined) expect(faultLog.missing, "faults that never struck").toEqual([]);
}
