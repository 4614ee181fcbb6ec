import { formatTime } from "../../../shared/format/format-time.ts";
import { pairNames } from "../../../shared/format/pair-names.ts";
import { formatRate } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { usePageData } from "../../../shared/page/page-context.ts";
import { useClock } from "../../../shared/page/use-hydrated.ts";
import { Button, CoinMark } from "../../../shared/ui/index.ts";
import { type RatedPair, REQUESTED_USD } from "../model/pair-rates.ts";
import { RatesTable } from "../landing/rates-table.tsx";
import { usePopularPairs } from "../api.ts";
import type { PopularData } from "../load.ts";
import { PairDirectoryList } from "./pair-directory-list.tsx";
import "../landing/rates-table.css";
import "./popular-page.css";

/** `/popular-exchanges`: what the popular pairs pay now. */
export function PopularPage() {
  const { pairs: first, directory, inAll } = usePageData<PopularData>();
  const { value: pairs, polling } = usePopularPairs(first);
  const { t } = useTranslation("home");
  return (
    <div className="w-page w-popular">
      {polling}
      <h1 className="w-popular__title" id="popular-title">
        {t("popular.title")}
      </h1>
      <p className="w-popular__lead">
        {t("popular.lead", { usd: REQUESTED_USD })} <RatesFrom pairs={pairs} />
      </p>
      {pairs.length === 0 ? <p className="w-popular__none">{t("popular.none")}</p> : <Pairs pairs={pairs} />}
      <p className="w-popular__all">
        {t("popular.all", {
          count: inAll.pairs,
          coins: t("stats.coins", { count: inAll.coins }),
          networks: t("stats.networks", { count: inAll.networks }),
        })}
        <Button variant="outline" href="/">
          {t("popular.other")}
        </Button>
      </p>
      <PairDirectoryList directory={directory} />
    </div>
  );
}

function Pairs({ pairs }: { readonly pairs: readonly RatedPair[] }) {
  const { t } = useTranslation("home");
  const rows = pairs.map((pair) => ({
    pair,
    mark: (
      <span className="w-popular__coins">
        <CoinMark instrument={pair.from} size={28} withNetwork={false} />
        <CoinMark instrument={pair.to} size={28} />
      </span>
    ),
    name: Object.values(pairNames(pair.from, pair.to)).join(" → "),
    detail: networksOf(pair, (from, to) => t("popular.networks", { from, to })),
    pays:
      pair.rate === null
        ? t("rates.none")
        : t("popular.pays", { amount: formatRate(pair.rate.price), ticker: pair.to.currencyTitle }),
  }));
  return (
    <RatesTable
      labelledBy="popular-title"
      heads={{ name: t("popular.pair"), pays: t("popular.onePays") }}
      rows={rows}
    />
  );
}

/** Both networks, or the one that both coins are on. */
function networksOf({ from, to }: RatedPair, both: (from: string, to: string) => string): string {
  const [one, other] = [from.networkFriendlyTitle, to.networkFriendlyTitle];
  return one === other ? one : both(one, other);
}

/** How old the rates are; nothing while there are none. */
function RatesFrom({ pairs }: { readonly pairs: readonly RatedPair[] }) {
  const { t } = useTranslation("home");
  const clock = useClock();
  const newest = pairs
    .flatMap(({ rate }) => (rate === null ? [] : [rate.updatedAt]))
    .toSorted()
    .at(-1);
  if (newest === undefined) return null;
  return <span data-clock={clock}>{t("popular.from", { time: formatTime(newest, clock) })}</span>;
}
