import { useTranslation } from "react-i18next";

/** Nothing was found, and what may help. */
export function NoMatch({ query }: { readonly query: string }) {
  const { t } = useTranslation("exchange");
  return (
    <div className="w-coin-selector__nothing">
      <p>{t("selector.nothing", { query: query.trim() })}</p>
      <p>{t("selector.nothingHint")}</p>
    </div>
  );
}

type OtherNetworksProps = { readonly query: string; readonly count: number; readonly onShow: () => void };

/** What the network filter leaves out, and the way to it; nothing where it leaves out nothing. */
export function OtherNetworks({ query, count, onShow }: OtherNetworksProps) {
  const { t } = useTranslation("exchange");
  if (count === 0) return null;
  return (
    <div className="w-coin-selector__nothing">
      <p>{t("selector.moreElsewhere", { count, query: query.trim() })}</p>
      <button type="button" className="w-coin-selector__link" onClick={onShow}>
        {t("selector.showAllNetworks")}
      </button>
    </div>
  );
}
