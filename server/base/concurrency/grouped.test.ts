import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { grouped } from "./grouped.ts";

/** Runs that end when the test says so. */
function gatedRuns() {
  const runs: { items: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const run = async (items: readonly number[]) => {
    const end = Promise.withResolvers<void>();
    runs.push({ items, end });
    await end.promise;
    return items.map((item) => item * 10);
  };
  return { runs, run };
}
const limits = { size: 3, runs: 1, mayFailForOne: () => true };
const settled = async (work: Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)));

it("runs a single call at once, and what comes meanwhile together", async () => {
  const { runs, run } = gatedRuns();
  const call = grouped(run, limits);
  const calls = [1, 2, 3, 4, 5].map(call);
  for (let at = 0; at < 3; at += 1) {
    await Promise.resolve();
    runs[at]?.end.resolve();
    await calls[Math.min(at * 3, 4)];
  }
  expect(runs.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5]]);
  expect(await Promise.all(calls)).toEqual([10, 20, 30, 40, 50]);
});

it("tries each alone where one of them made the run fail, so that the others succeed", async () => {
  const tried: (readonly number[])[] = [];
  const call = grouped(async (items: readonly number[]) => {
    tried.push(items);
    await Promise.resolve();
    if (items.includes(3)) throw new Error("3 is refused");
    return items;
  }, limits);
  expect(await settled([1, 2, 3, 4].map(call))).toEqual([1, 2, "Error: 3 is refused", 4]);
  expect(tried).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
});

it("never runs again what may have happened", async () => {
  let runs = 0;
  const call = grouped(
    async (items: readonly number[]) => {
      runs += 1;
      await Promise.resolve();
      if (items.length > 1) throw new Error("unknown");
      return items;
    },
    { ...limits, mayFailForOne: () => false },
  );
  expect(await settled([1, 2, 3].map(call))).toEqual([1, "Error: unknown", "Error: unknown"]);
  expect(runs).toBe(2);
});

it("has no more runs at a time than allowed", async () => {
  const { runs, run } = gatedRuns();
  const call = grouped(run, { ...limits, runs: 2 });
  const calls = [1, 2, 3].map(call);
  expect(runs.map(({ items }) => items)).toEqual([[1], [2]]);
  for (const { end } of runs) end.resolve();
  await calls[0];
  await Promise.resolve();
  runs[2]?.end.resolve();
  expect(await Promise.all(calls)).toEqual([10, 20, 30]);
});

it("gathers what one turn of the event loop brings, where it is asked to, and starts one more run with what comes meanwhile", async () => {
  const { runs, run } = gatedRuns();
  const call = grouped(run, { ...limits, gathers: true });
  const calls = [1, 2].map(call);
  expect(runs).toEqual([]);
  await nextTurn();
  calls.push(call(3));
  await nextTurn();
  expect(runs.map(({ items }) => items)).toEqual([[1, 2]]);
  runs[0]?.end.resolve();
  await vi.waitFor(() => expect(runs).toHaveLength(2));
  runs[1]?.end.resolve();
  expect(await Promise.all(calls)).toEqual([10, 20, 30]);
  expect(runs.map(({ items }) => items)).toEqual([[1, 2], [3]]);
});
