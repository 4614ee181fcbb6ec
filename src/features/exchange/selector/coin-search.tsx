import { type RefObject, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { Icon, LiveRegion } from "../../../shared/ui/index.ts";
import { coinRows, slugsOfRows, searchInstruments, networksOf } from "../model/coin-list.ts";
import { countryNames, withLocalNames } from "../model/currencies.ts";
import { CoinChips, NetworkFilter, NoMatch, OtherNetworks } from "./coin-filters.tsx";
import { CoinList } from "./coin-list.tsx";
import type { Side } from "../model/calculator-url.ts";
import { recentCoins } from "../store/recent-coins.ts";
import { SearchField, useActiveOption } from "./search-field.tsx";

type CoinSearchProps = {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly label: string;
  readonly instruments: readonly Instrument[];
  readonly isFiat: boolean;
  readonly side: Side;
  readonly chosen: string;
  readonly otherSide: string;
  readonly onChoose: (slug: string) => void;
};

/** The search, what narrows it, and the list that it works on. */
export function CoinSearch({
  search,
  label,
  instruments: all,
  isFiat,
  side,
  chosen,
  otherSide,
  onChoose,
}: CoinSearchProps) {
  const { t } = useTranslation("exchange");
  const locale = useLocale();
  const instruments = useMemo(() => (isFiat ? withLocalNames(all, locale) : all), [all, isFiat, locale]);
  const id = useId();
  const [query, setQuery] = useState("");
  const [network, setNetwork] = useState<string | null>(null);
  const [isFilterOpen, setFilterOpen] = useState(false);
  const networks = useMemo(() => networksOf(instruments), [instruments]);
  const otherNames = useMemo(() => (isFiat ? countryNames(locale) : undefined), [isFiat, locale]);
  const matching = useMemo(() => searchInstruments(instruments, query, otherNames), [instruments, query, otherNames]);
  const shown = useMemo(
    () => (network === null ? matching : matching.filter(({ networkTitle }) => networkTitle === network)),
    [matching, network],
  );
  const hasQuery = query.trim() !== "";
  const isSearching = hasQuery || network !== null;
  const rows = useMemo(() => coinRows(shown, !isSearching), [shown, isSearching]);
  const slugs = useMemo(() => slugsOfRows(rows), [rows]);
  const active = useActiveOption({ slugs, listId: id, startAtFirst: hasQuery, onPick: onChoose });
  const change = (work: () => void) => {
    work();
    active.forget();
    search.current?.closest(".w-dialog__body")?.scrollTo({ top: 0 });
  };
  const canFilter = !isFiat && networks.length > 1;
  const isFilterShown = canFilter && (isFilterOpen || isSearching);
  const networkName = networks.find(({ networkTitle }) => networkTitle === network)?.name;
  return (
    <>
      <SearchField
        ref={search}
        label={t(isFiat ? "selector.searchFiat" : "selector.search")}
        query={query}
        onQuery={(text) => change(() => setQuery(text))}
        listId={id}
        activeId={active.activeId}
        onKeyDown={active.onKeyDown}
      />
      {isFilterShown ? (
        <NetworkFilter
          id={`${id}-networks`}
          networks={networks}
          chosen={network}
          onChoose={(title) => change(() => setNetwork(title))}
        />
      ) : null}
      {isSearching || isFiat ? null : <Shortcuts instruments={instruments} onChoose={onChoose} />}
      <div className="w-coin-selector__head">
        <h3 className="w-coin-selector__heading">
          {isSearching ? (
            <Found count={shown.length} networkName={networkName} />
          ) : (
            t(isFiat ? "selector.allFiat" : "selector.all")
          )}
        </h3>
        {canFilter && !isSearching ? (
          <button
            type="button"
            className="w-coin-selector__link"
            aria-expanded={isFilterOpen}
            aria-controls={`${id}-networks`}
            onClick={() => setFilterOpen(!isFilterOpen)}
          >
            {t("selector.allNetworks")}
            <Icon name="chevron-down" size={18} />
          </button>
        ) : null}
      </div>
      {shown.length === 0 ? <NoMatch query={query} /> : null}
      <CoinList
        id={id}
        label={label}
        rows={rows}
        slugs={slugs}
        query={query}
        chosen={chosen}
        otherSide={otherSide}
        activeSlug={active.activeSlug}
        side={side}
        onChoose={onChoose}
      />
      {network !== null && hasQuery ? (
        <OtherNetworks
          query={query}
          count={matching.length - shown.length}
          onShow={() => change(() => setNetwork(null))}
        />
      ) : null}
      <LiveRegion text={isSearching ? t("selector.found", { count: shown.length }) : ""} throttleMs={1_000} />
    </>
  );
}

function Found({ count, networkName }: { readonly count: number; readonly networkName: string | undefined }) {
  const { t } = useTranslation("exchange");
  return networkName === undefined
    ? t("selector.found", { count })
    : t("selector.foundOn", { count, network: networkName });
}

const MOST_POPULAR = 12;

/** What was chosen last on this device, and what the catalogue calls popular. */
function Shortcuts({ instruments, onChoose }: Pick<CoinSearchProps, "instruments" | "onChoose">) {
  const { t } = useTranslation("exchange");
  const [recent] = useState(recentCoins);
  const bySlug = useMemo(() => new Map(instruments.map((instrument) => [instrument.slug, instrument])), [instruments]);
  return (
    <>
      <CoinChips
        title={t("selector.recent")}
        instruments={recent.flatMap((slug) => bySlug.get(slug) ?? [])}
        onChoose={onChoose}
      />
      <CoinChips
        title={t("selector.popular")}
        instruments={instruments.filter(({ isPopular }) => isPopular).slice(0, MOST_POPULAR)}
        onChoose={onChoose}
      />
    </>
  );
}
