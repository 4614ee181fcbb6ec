/** The middle of the numbers, or the mean of the two in the middle; NaN of none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = middleOf(sorted);
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The same of bigints, where a mean is rounded towards zero; null of none. */
export function bigintMedian(values: readonly bigint[]): bigint | null {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [low, high] = middleOf(sorted);
  return low === undefined || high === undefined ? null : (low + high) / 2n;
}

const middleOf = <Value>(sorted: readonly Value[]): [Value | undefined, Value | undefined] => [
  sorted[Math.ceil(sorted.length / 2) - 1],
  sorted[Math.floor(sorted.length / 2)],
];
