import { datePartsOf } from "../../../shared/format/format-time.ts";

/** `21 Nov 2026, 14:38`, on the device's own clock or on UTC's. `months` have spaces between them. */
export function pointTime(seconds: number, months: string, clock: "own" | "UTC"): string {
  const { day, month, year, time } = datePartsOf(new Date(seconds * 1_000).toISOString(), months, clock);
  return `${day} ${month} ${year}, ${time}`;
}

/** Its day of the year alone, of UTC. */
export function pointDay(seconds: number, months: string): string {
  const at = new Date(seconds * 1_000);
  return `${at.getUTCDate()} ${months.split(" ")[at.getUTCMonth()] ?? ""}`;
}
