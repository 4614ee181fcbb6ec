import { formatUsd } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { CoinMark } from "../../../shared/ui/index.ts";
import type { CoinGroup } from "../model/coin-list.ts";

/** A coin above its networks; for the eye alone, since each of its options says the coin too. */
export function CoinHeading({ group }: { readonly group: CoinGroup }) {
  const { t } = useTranslation("exchange");
  const { currencyTitle: ticker, friendlyTitle, instruments } = group;
  const [first] = instruments;
  return (
    <div className="w-coin-option" aria-hidden="true">
      {first === undefined ? null : <CoinMark instrument={first} size={36} withNetwork={false} />}
      <span className="w-coin-option__text">
        <span className="w-coin-option__name">{friendlyTitle}</span>
        <span className="w-coin-option__detail">{t("selector.networksOf", { ticker, count: instruments.length })}</span>
      </span>
      {first?.price == null ? null : <span className="w-coin-option__price w-number">{formatUsd(first.price)}</span>}
    </div>
  );
}
