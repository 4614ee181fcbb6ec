import type { Instrument } from "#contract/instrument.ts";
import { type CoinGroup, groupByCoin } from "./instrument-search.ts";

/** One line of the list of coins: a coin's heading above its networks, or something that can be chosen. */
export type CoinRow =
  | { kind: "heading"; key: string; group: CoinGroup }
  | {
      kind: "option";
      key: string;
      instrument: Instrument;
      /** Under its coin's heading, as the first, a middle or the last of its networks; null where it stands alone. */
      underHeading: { isFirst: boolean; isLast: boolean } | null;
    };

/** The lines of a list; `isGrouped` puts a coin's networks under it, otherwise each stands alone in the given order. */
export function coinRows(instruments: readonly Instrument[], isGrouped: boolean): CoinRow[] {
  return isGrouped ? groupByCoin(instruments).flatMap(rowsOf) : instruments.map(alone);
}

/** The slugs that the arrow keys go through, in the order of the lines. */
export const slugsOfRows = (rows: readonly CoinRow[]): string[] =>
  rows.flatMap((row) => (row.kind === "option" ? [row.instrument.slug] : []));

function rowsOf(group: CoinGroup): CoinRow[] {
  const { instruments } = group;
  if (instruments.length === 1) return instruments.map(alone);
  return [
    { kind: "heading", key: `coin:${group.currencyTitle}`, group },
    ...instruments.map((instrument, index): CoinRow => {
      const underHeading = { isFirst: index === 0, isLast: index === instruments.length - 1 };
      return { kind: "option", key: instrument.slug, instrument, underHeading };
    }),
  ];
}

const alone = (instrument: Instrument): CoinRow => ({
  kind: "option",
  key: instrument.slug,
  instrument,
  underHeading: null,
});
