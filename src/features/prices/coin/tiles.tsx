import { useTranslation } from "react-i18next";
import { formatCrypto } from "../../../shared/format/format.ts";
import { Change } from "../../../shared/ui/text/change.tsx";
import type { CoinPageData } from "../load.ts";
import { dayExtremes } from "../model/day-extremes.ts";
import { formatPrice } from "../model/format-price.ts";

type TilesProps = Pick<CoinPageData, "coin" | "limits"> & {
  readonly day: CoinPageData["history"]["day"];
  /** Of now, in dollars. */
  readonly price: string | null;
};

/** What a coin did in a day and a week, and how much of it one order takes; what is unknown is left out. */
export function Tiles({ coin, limits, day, price }: TilesProps) {
  const { t } = useTranslation("prices");
  const extremes = dayExtremes(day, price);
  const { ticker } = coin;
  return (
    <dl className="w-coin-page__tiles w-number">
      {extremes === null ? null : (
        <>
          <div>
            <dt>{t("coin.low")}</dt>
            <dd>{formatPrice(extremes.low)}</dd>
          </div>
          <div>
            <dt>{t("coin.high")}</dt>
            <dd>{formatPrice(extremes.high)}</dd>
          </div>
        </>
      )}
      <div>
        <dt>{t("coin.week")}</dt>
        <dd>
          <Change percent={coin.change7d} />
        </dd>
      </div>
      {limits === null ? null : (
        <div>
          <dt>{t("coin.limits", { ticker })}</dt>
          <dd>
            {limits.max === null
              ? t("coin.limitsFrom", { min: formatCrypto(limits.min) })
              : `${formatCrypto(limits.min)} – ${formatCrypto(limits.max)}`}
          </dd>
        </div>
      )}
    </dl>
  );
}
