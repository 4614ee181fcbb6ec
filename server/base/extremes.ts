/** The largest of any number of values; `Math.max(...values)` has no stack for some hundred thousand. -Infinity of none. */
export const largestOf = (values: Iterable<number>): number => extremeOf(values, Number.NEGATIVE_INFINITY, Math.max);

/** The smallest of any number of values. Infinity of none. */
export const smallestOf = (values: Iterable<number>): number => extremeOf(values, Number.POSITIVE_INFINITY, Math.min);

function extremeOf(values: Iterable<number>, none: number, of: (one: number, other: number) => number): number {
  let found = none;
  for (const value of values) found = of(found, value);
  return found;
}
