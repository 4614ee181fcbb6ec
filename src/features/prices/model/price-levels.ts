import { groupDigits } from "../../../shared/format/format.ts";

/** Whole ones from a thousand on, where more digits would only narrow the line; cents from ten, finer steps below. */
const decimalsOf = (highest: number): number => (highest >= 1_000 ? 0 : highest >= 10 ? 2 : highest >= 0.1 ? 4 : 8);

/** A price at the edge of a chart, where `highest` is the chart's highest one. */
export const formatLevel = (price: number, highest: number): string => groupDigits(price.toFixed(decimalsOf(highest)));

/** The smallest step between two of them. */
export const minMoveOf = (highest: number): number => 10 ** -decimalsOf(highest);
