import * as z from "zod";
import type { Curve } from "../liquidity/quote.ts";

const amount = z.string().regex(/^\d+$/).transform(BigInt);
const curvesSchema = z.record(z.string(), z.array(z.tuple([amount, amount])));

/** What partners quote, as a snapshot's row keeps it. */
export const writeCurves = (curves: ReadonlyMap<string, Curve> = new Map()): string =>
  JSON.stringify(
    Object.fromEntries(
      [...curves].map(([key, curve]) => [
        key,
        curve.map(({ amountFrom: amountFrom, amountTo: amountTo }) => [amountFrom.toString(), amountTo.toString()]),
      ]),
    ),
  );

export const readCurves = (stored: unknown): ReadonlyMap<string, Curve> =>
  new Map(
    Object.entries(curvesSchema.parse(stored)).map(([key, points]) => [
      key,
      points.map(([amountFrom, amountTo]) => ({ amountFrom, amountTo })),
    ]),
  );
