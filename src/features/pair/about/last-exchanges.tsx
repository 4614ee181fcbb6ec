import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { PairActivity } from "#contract/site/pair-activity.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { formatAge } from "../../../shared/format/format-time.ts";

type LastExchangesProps = {
  readonly from: Instrument;
  readonly to: Instrument;
  readonly latest: PairActivity["latest"];
  /** The moment that ages are counted to, ISO-8601. */
  readonly now: string;
};

/** The last exchanges of the pair, as rounded as the service gives them. */
export function LastExchanges({ from, to, latest, now }: LastExchangesProps) {
  const { t } = useTranslation("pair");
  const { t: common } = useTranslation("common");
  return (
    <section className="w-pair__part" aria-labelledby="pair-latest">
      <h2 id="pair-latest">{t("latest.title")}</h2>
      {latest.length === 0 ? (
        <p className="w-pair__text">{t("latest.none")}</p>
      ) : (
        <ul className="w-pair__latest w-number">
          {latest.map(({ amountFrom, amountTo, completedAt }, index) => (
            <li key={index}>
              <span>
                {t("latest.sum", {
                  give: formatCrypto(amountFrom, 6),
                  get: formatCrypto(amountTo, 6),
                  from: from.currencyTitle,
                  to: to.currencyTitle,
                })}
              </span>
              <span className="w-pair__age">
                {formatAge(common, (Date.parse(now) - Date.parse(completedAt)) / 1_000)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
