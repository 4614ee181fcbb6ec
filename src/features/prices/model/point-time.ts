import type { PriceRange } from "#contract/price-range.ts";
import { datePartsOf, formatTime } from "../../../shared/format/format-time.ts";

export type Clock = "own" | "UTC";

/** How a chart names its points: `months` have spaces between them. */
export type TimeTexts = { readonly range: PriceRange; readonly months: string; readonly clock: Clock };

/** Points of whole days, which are UTC's: on another clock they would get a time, and west of it the day before. */
const isDaily = (range: PriceRange): boolean => range === "1y" || range === "all";

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();
/** The `data-clock` of what names its points; none where they are UTC's days on any clock. */
export const hiddenClock = ({ range, clock }: Pick<TimeTexts, "range" | "clock">): Clock | undefined =>
  isDaily(range) ? undefined : clock;
const clockOf = ({ range, clock }: TimeTexts): Clock => (isDaily(range) ? "UTC" : clock);

/** `21 Nov 2026, 14:38`, on the device's own clock or on UTC's; `21 Nov 2026` for a point of a whole day. */
export function pointTime(seconds: number, texts: TimeTexts): string {
  const { day, month, year, time } = datePartsOf(isoOf(seconds), texts.months, clockOf(texts));
  return `${day} ${month} ${year}${isDaily(texts.range) ? "" : `, ${time}`}`;
}

/** What stands below the line at a point: the time of a day's chart, else the day, with its year where there are several. */
export function axisText(seconds: number, texts: TimeTexts): string {
  if (texts.range === "24h") return formatTime(isoOf(seconds), texts.clock);
  const { day, month, year } = datePartsOf(isoOf(seconds), texts.months, clockOf(texts));
  return isDaily(texts.range) ? `${day} ${month} ${year}` : `${day} ${month}`;
}

/** What a mark of the axis begins, as the drawing sees it. */
export type MarkKind = "year" | "month" | "day" | "time";

/** The text of such a mark. */
export function markText(seconds: number, kind: MarkKind, texts: TimeTexts): string {
  const { day, month, year, time } = datePartsOf(isoOf(seconds), texts.months, clockOf(texts));
  if (kind === "year") return String(year);
  if (kind === "month" && isDaily(texts.range)) return month;
  return kind === "time" ? time : `${day} ${month}`;
}

/**
 * The times as the drawing needs them, which knows UTC alone: moved so that its days begin with those of the clock, and ascending, also
 * in the hour that the end of summer time repeats.
 */
export function drawnTimes(times: readonly number[], texts: TimeTexts): number[] {
  const drawn: number[] = [];
  for (const time of times) {
    const moved = clockOf(texts) === "UTC" ? time : time - new Date(time * 1_000).getTimezoneOffset() * 60;
    drawn.push(Math.max(moved, (drawn.at(-1) ?? -Infinity) + 1));
  }
  return drawn;
}
