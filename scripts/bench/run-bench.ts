import { formatTable } from "./table.ts";
import type { Figure } from "./figure.ts";

export type Bench = {
  /** What is stopped or removed when the run ends, however it ends. */
  resources: AsyncDisposableStack;
  /** Prints figures under a heading as soon as they are there. */
  print(heading: string, figures: readonly Figure[]): void;
};

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs a benchmark and exits with the code that it gives; a signal, too, stops whatever was started first. */
export async function runBench(measure: (bench: Bench) => Promise<number>): Promise<void> {
  const resources = new AsyncDisposableStack();
  let isInterrupted = false;
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.once(signal, () => {
      isInterrupted = true;
      void resources.disposeAsync().finally(() => process.exit(code));
    });
  }
  try {
    process.exitCode = await measure({ resources, print: (...given) => console.log(`\n${formatTable(...given)}`) });
  } catch (error) {
    // A measurement whose programs were stopped fails; that is expected.
    if (isInterrupted) return;
    console.error(error);
    process.exitCode = 1;
  } finally {
    await resources.disposeAsync();
  }
}
