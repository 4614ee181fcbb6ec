import { type RefObject, useId, useMemo, useRef, useState } from "react";
import { useT } from "../../../lib/i18n/index.ts";
import { Dialog, LiveRegion } from "../../../ui/index.ts";
import { searchInstruments } from "../model/instrument-search.ts";
import type { Side } from "../model/page-query.ts";
import { chooseCoin } from "../store/actions.ts";
import { useExchangeState, useExchangeStore } from "../store/exchange-store.tsx";
import { CoinList } from "./coin-list.tsx";
import "./coin-selector.css";
import { NetworkFilter } from "./network-filter.tsx";
import { PopularCoins } from "./popular-coins.tsx";
import { SearchField } from "./search-field.tsx";
import { useActiveOption } from "./use-active-option.ts";
import { exchangeable, networksOf } from "./exchangeable.ts";

type CoinSelectorProps = { readonly side: Side; readonly isOpen: boolean; readonly onClose: () => void };

/** The list of coins of one side: a dialog with a combobox over a list box. */
export default function CoinSelector({ side, isOpen, onClose }: CoinSelectorProps) {
  const t = useT("exchange");
  const search = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title={t(side === "send" ? "selector.send" : "selector.get")}
      size="sheet"
      {...(hasFinePointer() ? { initialFocus: search } : {})}
    >
      <CoinSearch side={side} search={search} onClose={onClose} />
    </Dialog>
  );
}

/** On a touch screen the keyboard would jump up over the list. */
const hasFinePointer = (): boolean => matchMedia("(pointer: fine)").matches;

type CoinSearchProps = {
  readonly side: Side;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
};

function CoinSearch({ side, search, onClose }: CoinSearchProps) {
  const t = useT("exchange");
  const listId = useId();
  const { catalogue, state } = useExchangeStore();
  const { from, to } = useExchangeState();
  const [query, setQuery] = useState("");
  const [network, setNetwork] = useState<string | null>(null);
  const offered = useMemo(() => exchangeable(catalogue, side), [catalogue, side]);
  const matching = useMemo(() => searchInstruments(offered, query), [offered, query]);
  const shown = network === null ? matching : matching.filter(({ networkTitle }) => networkTitle === network);
  const choose = (slug: string) => {
    chooseCoin(state, side, slug);
    onClose();
  };
  const active = useActiveOption({
    slugs: shown.map(({ slug }) => slug),
    listId,
    startAtFirst: query.trim() !== "",
    onPick: choose,
  });
  const isSearching = query.trim() !== "" || network !== null;
  return (
    <div className="w-coin-selector">
      <SearchField
        ref={search}
        query={query}
        onQuery={setQuery}
        listId={listId}
        activeId={active.activeId}
        onKeyDown={active.onKeyDown}
      />
      <NetworkFilter networks={networksOf(offered)} chosen={network} onChoose={setNetwork} />
      {isSearching ? null : (
        <PopularCoins instruments={offered.filter(({ isPopular }) => isPopular)} onChoose={choose} />
      )}
      <h3 className="w-coin-selector__heading">
        {isSearching ? t("selector.found", { count: shown.length }) : t("selector.all")}
      </h3>
      {shown.length === 0 ? (
        <Nothing query={query} onAllNetworks={network === null ? null : () => setNetwork(null)} />
      ) : null}
      <CoinList
        id={listId}
        label={t(side === "send" ? "selector.send" : "selector.get")}
        instruments={shown}
        isGrouped={!isSearching}
        query={query}
        chosen={side === "send" ? from : to}
        otherSide={side === "send" ? to : from}
        activeSlug={active.activeSlug}
        onChoose={choose}
      />
      <LiveRegion text={isSearching ? t("selector.found", { count: shown.length }) : ""} throttleMs={1_000} />
    </div>
  );
}

function Nothing({ query, onAllNetworks }: { readonly query: string; readonly onAllNetworks: (() => void) | null }) {
  const t = useT("exchange");
  return (
    <div className="w-coin-selector__nothing">
      <p>{t("selector.nothing", { query: query.trim() })}</p>
      {onAllNetworks === null ? (
        <p>{t("selector.nothingHint")}</p>
      ) : (
        <button type="button" className="w-coin-selector__link" onClick={onAllNetworks}>
          {t("selector.showAllNetworks")}
        </button>
      )}
    </div>
  );
}
