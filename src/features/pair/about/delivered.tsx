import { useTranslation } from "react-i18next";
import type { PairStatistics } from "#contract/site/pair-activity.ts";
import { formatChange } from "../../../shared/format/format-change.ts";

/** What was delivered against what was quoted; where too few exchanges are known, that is said. */
export function Delivered({ statistics }: { readonly statistics: PairStatistics | null }) {
  const { t } = useTranslation("pair");
  const delivered = statistics?.delivered ?? null;
  return (
    <section className="w-pair__part" aria-labelledby="pair-delivered">
      <h2 id="pair-delivered">{t("delivered.title")}</h2>
      {delivered === null ? (
        <p className="w-pair__text">{t("delivered.none")}</p>
      ) : (
        <>
          <dl className="w-pair__facts w-number">
            <div>
              <dt>{t("delivered.difference")}</dt>
              <dd>{formatChange(delivered.medianDifference)}</dd>
            </div>
            <div>
              <dt>{t("delivered.atLeast")}</dt>
              <dd>{Math.floor(delivered.atLeastQuotedShare * 100)}%</dd>
            </div>
          </dl>
          <p className="w-pair__text">{t("delivered.text", { count: delivered.exchanges })}</p>
        </>
      )}
    </section>
  );
}
