import { pairNames } from "../../../shared/format/pair-names.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { formatAge } from "../../../shared/format/format-time.ts";
import { useTranslation } from "react-i18next";
import { CoinMark } from "../../../shared/ui/index.ts";
import type { LatestExchange } from "../load.ts";

type LatestExchangesProps = {
  readonly exchanges: readonly LatestExchange[];
  /** The moment that ages are counted to, ISO-8601. */
  readonly now: string;
};

/** A strip of completed exchanges, moved by hand alone. */
export function LatestExchanges({ exchanges, now }: LatestExchangesProps) {
  const { t } = useTranslation("home");
  const { t: common } = useTranslation("common");
  if (exchanges.length === 0) return null;
  return (
    <section className="w-latest" aria-labelledby="latest-title">
      <div className="w-page w-latest__row">
        <h2 id="latest-title" className="w-latest__title">
          {t("latest.title")}
        </h2>
        {/* A strip that scrolls sideways must be reachable by keys. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <ul className="w-latest__list" tabIndex={0} aria-labelledby="latest-title">
          {exchanges.map(({ from, to, amountFrom, completedAt }, index) => (
            <li key={index} className="w-latest__item">
              <span className="w-latest__coins">
                <CoinMark instrument={from} size={24} withNetwork={false} />
                <CoinMark instrument={to} size={24} withNetwork={false} />
              </span>
              <span>
                <span className="w-latest__sum w-number">
                  {t("latest.sum", {
                    amount: formatCrypto(amountFrom, 6),
                    ...pairNames(from, to),
                  })}
                </span>
                <span className="w-latest__age w-number">
                  {formatAge(common, (Date.parse(now) - Date.parse(completedAt)) / 1_000)}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
