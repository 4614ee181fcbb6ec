import { formatGoal, formatValue, judge, type Figure } from "./figure.ts";

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

/**
 * The figures under a heading, one a line: name, measured value, budget or goal, verdict.
 *
 * @internal Exported for its tests.
 */
export function formatTable(heading: string, figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    formatValue(figure.value, figure.unit),
    formatGoal(figure),
    judge(figure),
  ]);
  return [heading, ...alignRows(rows)].join("\n");
}

/** Pads the columns of a table: the first to the left, the others to the right, the last one as it is. */
function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      if (column === row.length - 1) return cell;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `  ${cells.join("  ")}`.trimEnd();
  });
}
