import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { formatCrypto, formatFee } from "../../../shared/format/format.ts";
import { formatAbout, formatDuration } from "../../../shared/format/format-time.ts";
import type { PairFacts } from "../model/pair-facts.ts";
import { networkName } from "../model/network-name.ts";

/** The facts of a pair; one that is unknown is left out. */
export function FactList({ facts }: { readonly facts: PairFacts }) {
  const { t } = useTranslation("pair");
  const { t: common } = useTranslation("common");
  const { from, to, limits, feePercent, networkFee, medianSeconds, estimatedSeconds } = facts;
  const rows: [term: string, fact: string | null][] = [
    [t("facts.send"), `${from.currencyTitle}, ${networkName(from)}`],
    [t("facts.get"), `${to.currencyTitle}, ${networkName(to)}`],
    [t("facts.limits"), limits && rangeOf(limits, from.currencyTitle, (min) => t("facts.from", { min }))],
    [t("facts.fee"), feePercent && `${feePercent}%`],
    [t("facts.networkFee"), networkFee && `${formatFee(networkFee)}\u00a0${to.currencyTitle}`],
    [t("facts.confirmations"), `${from.confirmations}`],
    medianSeconds === null
      ? [t("facts.estimated"), estimatedSeconds === null ? null : formatAbout(common, estimatedSeconds)]
      : [t("facts.measured"), formatDuration(common, medianSeconds)],
    [t("facts.memo"), memoOf(from, to, t("facts.noMemo"), (tickers) => t("facts.memoOf", { tickers }))],
  ];
  return (
    <dl className="w-pair__facts w-number">
      {rows.map(([term, fact]) =>
        fact === null ? null : (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ),
      )}
      {[from, to].map((coin) =>
        coin.contractAddress === null ? null : (
          <div key={coin.slug}>
            <dt>{t("facts.contract", { ticker: coin.currencyTitle, network: coin.networkFriendlyTitle })}</dt>
            <dd>
              <code>{coin.contractAddress}</code>
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

function rangeOf(
  { min, max }: { min: string; max: string | null },
  ticker: string,
  fromText: (min: string) => string,
): string {
  const least = formatCrypto(min);
  return max === null ? `${fromText(least)}\u00a0${ticker}` : `${least} – ${formatCrypto(max)}\u00a0${ticker}`;
}

function memoOf(from: Instrument, to: Instrument, none: string, some: (tickers: string) => string): string {
  const tickers = new Set([from, to].filter(({ requiresMemo }) => requiresMemo).map((coin) => coin.currencyTitle));
  return tickers.size === 0 ? none : some([...tickers].join(", "));
}
