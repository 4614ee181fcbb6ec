import type { Instrument } from "#contract/instrument.ts";

type Named = Pick<Instrument, "currencyTitle" | "networkFriendlyTitle">;

/** Whether a coin is exchanged for itself on another network, so that its ticker alone says nothing. */
export const isSameCoin = (from: Named, to: Named): boolean => from.currencyTitle === to.currencyTitle;

/** `USDT (Tron)`, for where two coins have one ticker. */
export const nameOnNetwork = ({ currencyTitle, networkFriendlyTitle }: Named): string =>
  `${currencyTitle}\u00A0(${networkFriendlyTitle})`;

/** Both coins of a pair by their tickers, with their networks where the tickers are equal. */
export function pairNames(from: Named, to: Named): { from: string; to: string } {
  const nameOf = isSameCoin(from, to) ? nameOnNetwork : ({ currencyTitle }: Named) => currencyTitle;
  return { from: nameOf(from), to: nameOf(to) };
}

/** What the texts of a pair's page are filled in with. */
export function pairValues(from: Named, to: Named) {
  const names = pairNames(from, to);
  return {
    fromName: names.from,
    toName: names.to,
    from: from.currencyTitle,
    to: to.currencyTitle,
    fromNetwork: from.networkFriendlyTitle,
    toNetwork: to.networkFriendlyTitle,
  };
}
