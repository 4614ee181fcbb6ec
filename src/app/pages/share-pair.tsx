import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { parsePairSlug } from "#contract/links/pair-slug.ts";
import type { CalculatorData } from "../../features/exchange/load.ts";
import { kindOf } from "../../features/exchange/model/kind.ts";
import { pairNames } from "../../shared/format/pair-names.ts";
import { usePageData } from "../../shared/page/page-context.ts";
import { ShareLinks } from "../../telegram/share-links.tsx";
import "./share-pair.css";

/** Passes on the pair that is chosen now. */
export function SharePair() {
  const { catalogue } = usePageData<CalculatorData>();
  const { t } = useTranslation("exchange");
  const [path] = useLocation();
  const slugs = new Set(catalogue.instruments.map(({ slug }) => slug));
  const pair = parsePairSlug(path.replace(/^\/exchange-/, ""), slugs);
  const from = catalogue.instruments.find(({ slug }) => slug === pair?.from);
  const to = catalogue.instruments.find(({ slug }) => slug === pair?.to);
  if (from === undefined || to === undefined) return null;
  const names = pairNames(from, to);
  return (
    <div className="w-page w-share-pair">
      <ShareLinks
        title={t("page.title", { fromName: names.from, toName: names.to, context: kindOf(from, to) })}
        path={path}
      />
    </div>
  );
}
