import { formatAmount, parseAmount, maxOf } from "#contract/money.ts";

/** Finer than any coin's: figures are only compared. */
const SCALE = 18;
const WHOLE = 10_000n;

type Bar<Day> = {
  readonly day: Day;
  /** Of the chart's height, 0 to 100, in percent. */ readonly height: number;
};

export type DayChart<Day> = {
  readonly bars: readonly Bar<Day>[];
  /** The figures beside the lines, from the top to 0; empty where there is nothing to draw. */
  readonly marks: readonly string[];
};

/** A chart of what each day brought, under a round figure that nothing exceeds. */
export function dayChart<Day extends { readonly earned: string }>(days: readonly Day[]): DayChart<Day> {
  const units = days.map(({ earned }) => parseAmount(earned, SCALE) ?? 0n);
  const greatest = maxOf(0n, ...units);
  if (greatest === 0n) return { bars: days.map((day) => ({ day, height: 0 })), marks: [] };
  const top = roundUp(greatest);
  return {
    bars: days.map((day, n) => ({ day, height: Number(((units[n] ?? 0n) * WHOLE) / top) / 100 })),
    marks: [top, top / 2n, 0n].map((mark) => formatAmount(mark, SCALE)),
  };
}

/** Their halves are short figures too. */
const ROUND = [10n, 12n, 16n, 20n, 30n, 40n, 60n, 80n];

function roundUp(value: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const found = ROUND.map((round) => round * power).find((round) => round >= value);
    if (found !== undefined) return found;
  }
}
