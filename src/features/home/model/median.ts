import type { TFunction } from "i18next";
import { formatDuration } from "../../../shared/format/format-time.ts";

/** `6 min 40 s`, `1 h 16 min`: rounded up, since a figure that speaks for the service must not flatter it. */
export function formatMedian(t: TFunction<"common">, seconds: number): string {
  const whole = Math.ceil(seconds);
  const rest = whole % 60;
  if (whole < 60 || (rest === 0 && whole < 3_600)) return formatDuration(t, whole);
  if (whole < 3_600) return `${formatDuration(t, whole - rest)} ${formatDuration(t, rest)}`;
  return formatDuration(t, Math.ceil(whole / 60) * 60);
}
