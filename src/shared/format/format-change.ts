import { groupDigits } from "./format.ts";

/** `+1.24%`, `−6.20%`: all of a column have the same decimals. A dash where it is unknown. */
export function formatChange(percent: string | null): string {
  if (percent === null) return "—";
  const [whole = "", decimals = ""] = percent.split(".");
  return `${percent.startsWith("-") || percent === "0" ? "" : "+"}${groupDigits(`${whole}.${decimals.padEnd(2, "0")}`)}%`;
}
