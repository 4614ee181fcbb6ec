import type { Instrument } from "#contract/instrument.ts";
import { useT } from "../../../lib/i18n/index.ts";
import { CoinMark } from "../../../ui/index.ts";
import { type CoinGroup, groupByCoin } from "../model/instrument-search.ts";
import { CoinOption, type OptionProps } from "./coin-option.tsx";

type CoinListProps = Omit<OptionProps, "instrument" | "isNetworkRow" | "listId"> & {
  readonly id: string;
  readonly label: string;
  readonly instruments: readonly Instrument[];
  /** Puts the networks of a coin under it; while searching each stands alone. */
  readonly isGrouped: boolean;
};

export function CoinList({ id, label, instruments, isGrouped, ...option }: CoinListProps) {
  const single = (instrument: Instrument) => (
    <CoinOption key={instrument.slug} instrument={instrument} isNetworkRow={false} listId={id} {...option} />
  );
  return (
    <div id={id} role="listbox" aria-label={label} className="w-coin-list">
      {isGrouped
        ? groupByCoin(instruments).map((group) => {
            const [first] = group.instruments;
            return first !== undefined && group.instruments.length === 1 ? (
              single(first)
            ) : (
              <CoinNetworks key={group.currencyTitle} group={group} listId={id} {...option} />
            );
          })
        : instruments.map(single)}
    </div>
  );
}

type CoinNetworksProps = Omit<OptionProps, "instrument" | "isNetworkRow"> & { readonly group: CoinGroup };

function CoinNetworks({ group, ...option }: CoinNetworksProps) {
  const t = useT("exchange");
  const { currencyTitle: ticker, friendlyTitle, instruments } = group;
  const [first] = instruments;
  return (
    <div role="group" aria-label={friendlyTitle} className="w-coin-group">
      <div className="w-coin-option" role="presentation">
        {first === undefined ? null : <CoinMark instrument={first} size={36} withNetwork={false} />}
        <span className="w-coin-option__text">
          <span className="w-coin-option__name">{friendlyTitle}</span>
          <span className="w-coin-option__detail">
            {t("selector.networksOf", { ticker, count: instruments.length })}
          </span>
        </span>
      </div>
      <div role="presentation" className="w-coin-group__networks">
        {instruments.map((instrument) => (
          <CoinOption key={instrument.slug} instrument={instrument} isNetworkRow {...option} />
        ))}
      </div>
    </div>
  );
}
