type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };

export type GroupLimits = {
  /** Items of one run. */
  size: number;
  /** Runs at a time; what comes meanwhile waits and shares the next one. */
  runs: number;
  /** Whether a run waits for what this turn of the event loop still reads, instead of starting with the first item alone. */
  gathers?: boolean;
  /** Whether a run that failed so has changed nothing, and may have failed for one of its items: each is then tried alone. */
  mayFailForOne(error: unknown): boolean;
};

/**
 * Lets calls that come at the same time share one run, as databases do with commits: a single call runs at once, many cost little more
 * than one. `run` returns a result for each item, in their order.
 */
export function grouped<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { size, runs, gathers = false, mayFailForOne }: GroupLimits,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isGathering = false;

  const finish = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error("a run has not answered for each of its items");
      results.forEach((result, at) => group[at]?.resolve(result));
    } catch (error) {
      if (group.length > 1 && mayFailForOne(error)) for (const one of group) await finish([one]);
      else for (const { reject } of group) reject(error);
    }
  };
  const next = (): void => {
    if (!gathers) return start();
    if (isGathering) return;
    isGathering = true;
    setImmediate(() => {
      isGathering = false;
      start();
    });
  };
  const start = (): void => {
    if (running >= runs || waiting.length === 0) return;
    running += 1;
    void finish(waiting.splice(0, size)).finally(() => {
      running -= 1;
      next();
    });
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      next();
    });
}
