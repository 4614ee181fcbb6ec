import { formatTime } from "../../../shared/format/format-time.ts";

/** `21 Nov 2026, 14:38`, on the device's own clock or on UTC's. Without Intl, as days of articles are. `months` have spaces between them. */
export function pointTime(seconds: number, months: string, clock: "own" | "UTC"): string {
  const at = new Date(seconds * 1_000);
  const [day, month, year] =
    clock === "UTC"
      ? [at.getUTCDate(), at.getUTCMonth(), at.getUTCFullYear()]
      : [at.getDate(), at.getMonth(), at.getFullYear()];
  return `${day} ${months.split(" ")[month] ?? ""} ${year}, ${formatTime(at.toISOString(), clock)}`;
}

/** Its day of the year alone, of UTC. */
export function pointDay(seconds: number, months: string): string {
  const at = new Date(seconds * 1_000);
  return `${at.getUTCDate()} ${months.split(" ")[at.getUTCMonth()] ?? ""}`;
}
