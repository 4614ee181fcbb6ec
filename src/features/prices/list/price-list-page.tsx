import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { formatTime } from "../../../shared/format/format-time.ts";
import { usePageData, usePageNow, usePageSearch } from "../../../shared/page/page-context.ts";
import { useClock } from "../../../shared/page/use-hydrated.ts";
import { Button, CoinMark, LiveRegion, Note, TextField, VisuallyHidden } from "../../../shared/ui/index.ts";
import type { ListedCoin, PriceListData } from "../load.ts";
import { readPriceList } from "./api.ts";
import { Change } from "../../../shared/ui/text/change.tsx";
import { MadeUp } from "../made-up.tsx";
import { findCoins, LISTED, nextSorting, type Order, type Sorting, sortOf } from "../model/find-coins.ts";
import { pageOf, pagePath } from "../model/pages.ts";
import { formatPrice } from "../model/format-price.ts";
import { useLive } from "../use-live.ts";
import { SparkLine } from "./spark-line.tsx";
import "./price-list.css";

/** `/price`: every coin, its price and how it has changed. */
export function PriceListPage() {
  const first = usePageData<PriceListData>();
  const loaded = { ...first, at: usePageNow() };
  const { value, isFailed } = useLive("prices", loaded, readPriceList);
  const { coins, at } = value ?? loaded;
  const isOnline = useOnline();
  const time = formatTime(at, useClock());
  const [path] = useLocation();
  const search = usePageSearch(path === "/price");
  const { t } = useTranslation("prices");
  const [words, setWords] = useState("");
  const [order, setOrder] = useState<Sorting>(LISTED);
  const found = findCoins(coins, words, order);
  const { shown, page, pages } = pageOf(found, new URLSearchParams(search).get("page"), words === "");
  return (
    <div className="w-page w-prices">
      <h1 className="w-prices__title" id="prices-title">
        {t("list.title")}
      </h1>
      <p className="w-prices__lead">{t("list.lead")}</p>
      <MadeUp />
      {isFailed || !isOnline ? (
        <Note tone="info" title={t("coin.stale", { time })}>
          {t("coin.staleText")}
        </Note>
      ) : null}
      <search className="w-prices__search">
        <TextField
          id="prices-search"
          name="search"
          type="search"
          label={t("list.search")}
          value={words}
          onValue={setWords}
          maxLength={64}
        />
      </search>
      <LiveRegion text={words === "" ? "" : t("list.found", { count: found.length })} />
      {found.length === 0 ? (
        <p className="w-prices__none">{t("list.none")}</p>
      ) : (
        <PriceTable coins={shown} order={order} onOrder={setOrder} />
      )}
      {pages < 2 ? null : <Pages page={page} pages={pages} />}
    </div>
  );
}

/** Links, so that search engines find every coin. */
function Pages({ page, pages }: { readonly page: number; readonly pages: number }) {
  const { t } = useTranslation("prices");
  return (
    <nav className="w-prices__pages w-number" aria-label={t("list.pages")}>
      {page === 1 ? null : (
        <Button variant="outline" href={pagePath(page - 1)}>
          {t("list.previous")}
        </Button>
      )}
      {Array.from({ length: pages }, (_, at) => at + 1).map((to) => (
        <Link
          key={to}
          className="w-prices__page"
          href={pagePath(to)}
          aria-label={t("list.page", { page: to })}
          aria-current={to === page ? "page" : undefined}
        >
          {to}
        </Link>
      ))}
      {page === pages ? null : (
        <Button variant="outline" href={pagePath(page + 1)}>
          {t("list.next")}
        </Button>
      )}
    </nav>
  );
}

type PriceTableProps = {
  readonly coins: readonly ListedCoin[];
  readonly order: Sorting;
  readonly onOrder: (order: Sorting) => void;
};

function PriceTable({ coins, order, onOrder }: PriceTableProps) {
  const { t } = useTranslation("prices");
  const head = (by: Exclude<Order, "listed">, className?: string) => (
    <th scope="col" className={className} aria-sort={sortOf(order, by)}>
      <button type="button" className="w-prices__sort" onClick={() => onOrder(nextSorting(order, by))}>
        {t(`list.${by}`)}
      </button>
    </th>
  );
  return (
    <table className="w-prices__table" aria-labelledby="prices-title">
      <thead>
        <tr>
          {head("name")}
          {head("price", "w-prices__figure")}
          {head("change24h", "w-prices__figure")}
          {head("change7d", "w-prices__wide")}
          <th scope="col" className="w-prices__wide">
            {t("list.day")}
          </th>
          <th scope="col" className="w-prices__wide">
            <VisuallyHidden>{t("list.exchange")}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {coins.map((coin) => (
          <tr key={coin.symbol}>
            <th scope="row">
              <span className="w-prices__coin">
                <CoinMark instrument={coin.mark} size={32} withNetwork={false} />
                <span>
                  <Link className="w-prices__name" href={`/price/${coin.symbol}`}>
                    <bdi>{coin.name}</bdi>
                  </Link>
                  <bdi className="w-prices__ticker">{coin.ticker}</bdi>
                  <span className="w-prices__narrow w-number">
                    {formatPrice(coin.priceUsd)} <Change percent={coin.change24h} />
                  </span>
                </span>
              </span>
            </th>
            <td className="w-prices__figure w-number">{formatPrice(coin.priceUsd)}</td>
            <td className="w-prices__figure">
              <Change percent={coin.change24h} />
            </td>
            <td className="w-prices__wide">
              <Change percent={coin.change7d} />
            </td>
            <td className="w-prices__wide">
              <SparkLine prices={coin.sparkline} />
            </td>
            <td className="w-prices__wide">
              <Button variant="soft" href={`/?send=${coin.slugs[0] ?? ""}`}>
                {t("list.exchange")} <VisuallyHidden>{coin.ticker}</VisuallyHidden>
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
