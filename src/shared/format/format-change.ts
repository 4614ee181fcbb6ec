import { groupDigits } from "./format.ts";

/** `+1.24%`, `−6.25%`; a dash where it is unknown. */
export function formatChange(percent: string | null): string {
  if (percent === null) return "—";
  return `${percent.startsWith("-") || percent === "0" ? "" : "+"}${groupDigits(percent)}%`;
}
