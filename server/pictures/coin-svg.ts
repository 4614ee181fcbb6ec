import { readFileSync } from "node:fs";
import { FILE_MARKS, MARKS } from "#contract/site/coin-marks.ts";

/** Draws a coin's mark by its ticker, as the app shows it; `marksFile` is `icons/coins.svg`. */
export function coinDrawings(marksFile: string): (ticker: string) => string {
  let marks: string | null = null;
  const fileMark = (ticker: string): string => {
    marks ??= readFileSync(marksFile, "utf8");
    return new RegExp(`<symbol id="${ticker.toLowerCase()}"[^>]*>(.*?)</symbol>`, "s").exec(marks)?.[1] ?? "";
  };
  return (ticker) => {
    const mark = MARKS[ticker];
    const drawing = mark
      ? `<g fill="#fff">${mark.parts.map(([outline, opacity = "1"]) => `<path d="${outline}" opacity="${opacity}"/>`).join("")}</g>`
      : Object.hasOwn(FILE_MARKS, ticker)
        ? fileMark(ticker)
        : "";
    const colour = mark?.colour ?? FILE_MARKS[ticker] ?? "#566879";
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${colour}"/>${drawing}<circle cx="16" cy="16" r="15.5" fill="none" stroke="#ffffff" stroke-opacity=".16"/></svg>`;
  };
}
