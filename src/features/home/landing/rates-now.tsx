import { Link } from "wouter";
import { formatRate } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { useIsSandbox } from "../../../shared/page/page-context.ts";
import { CoinMark, Icon } from "../../../shared/ui/index.ts";
import { type Changes, changesOf } from "../load.ts";
import { type RatedPair, REQUESTED_USD } from "../model/pair-rates.ts";
import { RatesTable } from "./rates-table.tsx";

type RatesNowProps = { readonly rates: readonly RatedPair[]; readonly changes: Changes };

/** What one of each coin pays now, from real rates; all pairs are in the same coin. */
export function RatesNow({ rates, changes }: RatesNowProps) {
  const { t } = useTranslation("home");
  const isSandbox = useIsSandbox();
  const [first] = rates;
  if (first === undefined) return null;
  const ticker = first.to.currencyTitle;
  const rows = rates.map((pair) => ({
    pair,
    mark: <CoinMark instrument={pair.from} size={32} />,
    name: pair.from.currencyFriendlyTitle,
    detail: pair.from.currencyTitle,
    pays: pair.rate === null ? t("rates.none") : formatRate(pair.rate.price),
    changes: changesOf(changes, pair),
  }));
  return (
    <section className="w-home__part" id="rates" aria-labelledby="rates-title">
      <div className="w-home__head">
        <div>
          <h2 id="rates-title">{t("rates.title")}</h2>
          <p className="w-home__lead">
            {t("rates.lead", { ticker, usd: REQUESTED_USD })}
            {isSandbox ? `. ${t("rates.madeUp")}` : null}
          </p>
        </div>
        {(
          [
            ["/popular-exchanges", t("rates.popular")],
            ["/price", t("rates.all")],
          ] as const
        ).map(([href, name]) => (
          <Link key={href} className="w-home__more" href={href}>
            {name}
            <Icon name="arrow-right" size={18} />
          </Link>
        ))}
      </div>
      <RatesTable
        labelledBy="rates-title"
        heads={{
          name: t("rates.coin"),
          pays: t("rates.youGet", { ticker }),
          day: t("rates.day"),
          week: t("rates.week"),
        }}
        rows={rows}
      />
    </section>
  );
}
