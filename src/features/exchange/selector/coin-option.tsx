import type { ReactNode } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { formatUsd } from "../../../lib/format.ts";
import { useT } from "../../../lib/i18n/index.ts";
import { classNames, CoinMark, Icon } from "../../../ui/index.ts";
import { optionId } from "./use-active-option.ts";

export type OptionProps = {
  readonly instrument: Instrument;
  readonly listId: string;
  /** Under its coin's heading: named by its network alone. */
  readonly isNetworkRow: boolean;
  readonly query: string;
  readonly chosen: string;
  readonly otherSide: string;
  readonly activeSlug: string | null;
  readonly onChoose: (slug: string) => void;
};

export function CoinOption({
  instrument,
  listId,
  isNetworkRow,
  query,
  chosen,
  otherSide,
  activeSlug,
  onChoose,
}: OptionProps) {
  const t = useT("exchange");
  const { slug, currencyTitle: ticker, networkFriendlyTitle: network, price } = instrument;
  const isOwnNetwork = instrument.currencyTitle === instrument.networkTitle;
  const details = [
    isNetworkRow ? null : isOwnNetwork ? ticker : t("selector.onNetwork", { ticker, network }),
    instrument.requiresMemo ? t("selector.needsMemo") : null,
    slug === otherSide ? t("selector.otherSide") : null,
  ].filter((detail) => detail !== null);
  return (
    // The focus stays in the search; keys are its own (combobox pattern).
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={optionId(listId, slug)}
      role="option"
      tabIndex={-1}
      aria-selected={slug === chosen}
      className={classNames(
        "w-coin-option",
        isNetworkRow && "w-coin-option--network",
        slug === activeSlug && "w-coin-option--active",
      )}
      onClick={() => onChoose(slug)}
    >
      <CoinMark
        instrument={isNetworkRow ? { ...instrument, currencyTitle: instrument.networkTitle } : instrument}
        size={isNetworkRow ? 24 : 36}
      />
      <span className="w-coin-option__text">
        <span className="w-coin-option__name">
          <Matched text={isNetworkRow ? network : instrument.currencyFriendlyTitle} query={query} />
        </span>
        {details.length === 0 ? null : (
          <span className="w-coin-option__detail">
            <Matched text={details.join(", ")} query={query} />
          </span>
        )}
      </span>
      {price === null || isNetworkRow ? null : (
        <span className="w-coin-option__price w-number">{formatUsd(price)}</span>
      )}
      {slug === chosen ? (
        <span className="w-coin-option__chosen">
          <Icon name="check" />
        </span>
      ) : null}
    </div>
  );
}

/** Marks where the query stands in a text. */
function Matched({ text, query }: { readonly text: string; readonly query: string }): ReactNode {
  const word = query.trim().toLowerCase().split(/\s+/)[0] ?? "";
  const at = word === "" ? -1 : text.toLowerCase().indexOf(word);
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + word.length)}</mark>
      {text.slice(at + word.length)}
    </>
  );
}
