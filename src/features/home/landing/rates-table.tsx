import type { ReactNode } from "react";
import { Link } from "wouter";
import { formatPairSlug } from "#contract/links/pair-slug.ts";
import { pairNames } from "../../../shared/format/pair-names.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { Button, VisuallyHidden } from "../../../shared/ui/index.ts";
import { Change } from "../../../shared/ui/text/change.tsx";
import type { RatedPair } from "../model/pair-rates.ts";
import "./rates-changes.css";

type RateRow = {
  readonly pair: RatedPair;
  readonly mark: ReactNode;
  readonly name: string;
  readonly detail: string;
  /** What one coin pays, in words. */
  readonly pays: string;
  /** How the price of the coin that is sent has changed, in percent, where the table has columns of it. */
  readonly changes?: { readonly day: string | null; readonly week: string | null };
};

type RatesTableProps = {
  readonly heads: { readonly name: string; readonly pays: string; readonly day?: string; readonly week?: string };
  readonly rows: readonly RateRow[];
  readonly labelledBy: string;
};

/** What pairs pay and take; on phones a row is the link itself. */
export function RatesTable({ heads, rows, labelledBy }: RatesTableProps) {
  const { t } = useTranslation("home");
  return (
    <table className="w-rates w-number" aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col">{heads.name}</th>
          <th scope="col">{heads.pays}</th>
          {heads.day === undefined ? null : (
            <th scope="col" className="w-rates__day">
              {heads.day}
            </th>
          )}
          {heads.week === undefined ? null : (
            <th scope="col" className="w-rates__week">
              {heads.week}
            </th>
          )}
          <th scope="col" className="w-rates__limits">
            {t("rates.limits")}
          </th>
          <th scope="col" className="w-rates__action">
            <VisuallyHidden>{t("rates.exchange")}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={pathOf(row.pair)} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row: { pair, mark, name, detail, pays, changes } }: { readonly row: RateRow }) {
  const { t } = useTranslation("home");
  const limits = useLimits(pair);
  return (
    <tr>
      <th scope="row">
        <span className="w-rates__coin">
          {mark}
          <span>
            <Link className="w-rates__name" href={pathOf(pair)}>
              <bdi>{name}</bdi>
            </Link>
            <bdi className="w-rates__detail">{detail}</bdi>
          </span>
        </span>
      </th>
      <td>{pays}</td>
      {changes === undefined ? null : (
        <>
          <td className="w-rates__day">
            <Change percent={changes.day} />
          </td>
          <td className="w-rates__week">
            <Change percent={changes.week} />
          </td>
        </>
      )}
      <td className="w-rates__limits">{limits}</td>
      <td className="w-rates__action">
        <Button variant="soft" href={pathOf(pair)}>
          {t("rates.exchange")} <VisuallyHidden>{t("rates.pair", pairNames(pair.from, pair.to))}</VisuallyHidden>
        </Button>
      </td>
    </tr>
  );
}

const pathOf = ({ from, to }: RatedPair): string => `/exchange-${formatPairSlug({ from: from.slug, to: to.slug })}`;

/** How much may be sent, in the coin that is sent. */
function useLimits({ from, rate }: RatedPair): string {
  const { t } = useTranslation("home");
  if (rate === null) return "";
  const [min, ticker] = [formatCrypto(rate.min), from.currencyTitle];
  return rate.max === null
    ? t("rates.from", { min, ticker })
    : t("rates.fromTo", { min, max: formatCrypto(rate.max), ticker });
}
