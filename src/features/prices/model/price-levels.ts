import { groupDigits } from "../../../shared/format/format.ts";

/** Cents from ten dollars on, finer steps below. */
const decimalsOf = (highest: number): number => (highest >= 10 ? 2 : highest >= 0.1 ? 4 : 8);

/** A price at the edge of a chart, where `highest` is the chart's highest one. */
export const formatLevel = (price: number, highest: number): string => groupDigits(price.toFixed(decimalsOf(highest)));

/** The smallest step between two of them. */
export const minMoveOf = (highest: number): number => 10 ** -decimalsOf(highest);
