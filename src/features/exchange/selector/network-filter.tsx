import { useTranslation } from "react-i18next";
import { CoinMark, Icon } from "../../../shared/ui/index.ts";
import type { Network } from "../model/coin-list.ts";

type NetworkFilterProps = {
  readonly id: string;
  readonly networks: readonly Network[];
  readonly chosen: string | null;
  readonly onChoose: (networkTitle: string | null) => void;
};

/** Narrows the list to one network. */
export function NetworkFilter({ id, networks, chosen, onChoose }: NetworkFilterProps) {
  const { t } = useTranslation("exchange");
  return (
    <div id={id} className="w-chips" role="group" aria-label={t("selector.networks")}>
      <button type="button" className="w-chip" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        {t("selector.allNetworks")}
      </button>
      {networks.map(({ networkTitle, name }) => {
        const isChosen = chosen === networkTitle;
        return (
          <button
            key={networkTitle}
            type="button"
            className="w-chip w-chip--marked"
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? null : networkTitle)}
          >
            <CoinMark instrument={{ currencyTitle: networkTitle, networkTitle, instrumentType: "other" }} size={28} />
            <span>{name}</span>
            {isChosen ? <Icon name="close" size={16} /> : null}
          </button>
        );
      })}
    </div>
  );
}
