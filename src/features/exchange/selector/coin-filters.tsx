import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { CoinMark, VisuallyHidden, Icon } from "../../../shared/ui/index.ts";
import type { Network } from "../model/coin-list.ts";

type CoinChipsProps = {
  readonly title: string;
  readonly instruments: readonly Instrument[];
  readonly onChoose: (slug: string) => void;
};

/** A row of coins under a title; nothing where there is none. */
export function CoinChips({ title, instruments, onChoose }: CoinChipsProps) {
  const id = useId();
  if (instruments.length === 0) return null;
  return (
    <>
      <h3 id={id} className="w-coin-selector__heading">
        {title}
      </h3>
      <ul className="w-chips" aria-labelledby={id}>
        {instruments.map((instrument) => (
          <li key={instrument.slug}>
            <button type="button" className="w-chip w-chip--marked" onClick={() => onChoose(instrument.slug)}>
              <CoinMark instrument={instrument} size={28} />
              <span>{instrument.currencyTitle}</span>
              <VisuallyHidden>{instrument.networkFriendlyTitle}</VisuallyHidden>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

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
