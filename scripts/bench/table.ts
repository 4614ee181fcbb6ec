import { formatGoal, formatValue, judge, type Figure } from "./figure.ts";

/** The figures under a heading, one a line: name, measured value, budget or goal, verdict. */
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
