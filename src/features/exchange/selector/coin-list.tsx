import { useVirtualizer, defaultRangeExtractor } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { classNames, CoinMark } from "../../../shared/ui/index.ts";
import type { CoinRow, CoinGroup } from "../model/coin-list.ts";
import { CoinOption, type OptionProps } from "./coin-option.tsx";
import { formatUsd } from "../../../shared/format/format.ts";

type CoinListProps = Omit<OptionProps, "instrument" | "underHeading" | "listId" | "position" | "count"> & {
  readonly id: string;
  readonly label: string;
  readonly rows: readonly CoinRow[];
  /** The slugs of the options, in the order of the rows. */
  readonly slugs: readonly string[];
};

const ROW_PX = 60;
const NETWORK_ROW_PX = 48;
/** The search stays at the upper edge of what scrolls. */
const SEARCH_PX = 64;

/** The list box: of thousands of rows only those that are seen are in the page, and the active one always. */
export function CoinList({ id, label, rows, slugs, ...option }: CoinListProps) {
  const list = useRef<HTMLDivElement>(null);
  const scrollMargin = useOffset(list);
  const activeRow = rows.findIndex(({ key }) => key === option.activeSlug);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: (index) => (isNetwork(rows[index]) ? NETWORK_ROW_PX : ROW_PX),
    getItemKey: (index) => rows[index]?.key ?? index,
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      if (activeRow === -1 || seen.includes(activeRow)) return seen;
      return [...seen, activeRow].sort((a, b) => a - b);
    },
    overscan: 4,
    scrollMargin,
    scrollPaddingStart: SEARCH_PX,
    scrollPaddingEnd: 8,
    useFlushSync: false,
  });

  useEffect(() => {
    if (activeRow !== -1) virtualizer.scrollToIndex(activeRow, { align: "auto" });
    // When it moves, not when a row above it is measured.
    // eslint-disable-next-line react/exhaustive-deps
  }, [option.activeSlug]);

  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className="w-coin-list"
      style={{ blockSize: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            role="presentation"
            className={classNames("w-coin-list__row", isNetwork(row) && "w-coin-list__row--network")}
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
          >
            {row.kind === "heading" ? (
              <CoinHeading group={row.group} />
            ) : (
              <CoinOption
                instrument={row.instrument}
                underHeading={row.underHeading}
                listId={id}
                position={slugs.indexOf(row.instrument.slug) + 1}
                count={slugs.length}
                {...option}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

const isNetwork = (row: CoinRow | undefined): boolean => row?.kind === "option" && row.underHeading !== null;

const scrollerOf = (list: HTMLElement | null): HTMLElement | null => list?.closest(".w-dialog__body") ?? null;

/** How far below the upper edge of what scrolls the list begins; what stands above it comes and goes. */
function useOffset(list: { readonly current: HTMLElement | null }): number {
  const [offset, setOffset] = useState(0);
  const measure = () => {
    const scroller = scrollerOf(list.current);
    if (scroller === null || list.current === null) return;
    const { top } = scroller.getBoundingClientRect();
    setOffset(Math.round(list.current.getBoundingClientRect().top - top + scroller.scrollTop));
  };
  // After every commit: the same number again renders nothing.
  useLayoutEffect(measure);
  return offset;
}

/** A coin above its networks; for the eye alone, since each of its options says the coin too. */
function CoinHeading({ group }: { readonly group: CoinGroup }) {
  const { t } = useTranslation("exchange");
  const { currencyTitle: ticker, friendlyTitle, instruments } = group;
  const [first] = instruments;
  return (
    <div className="w-coin-option" aria-hidden="true">
      {first === undefined ? null : <CoinMark instrument={first} size={36} withNetwork={false} />}
      <span className="w-coin-option__text">
        <bdi className="w-coin-option__name">{friendlyTitle}</bdi>
        <span className="w-coin-option__detail">{t("selector.networksOf", { ticker, count: instruments.length })}</span>
      </span>
      {first?.price == null ? null : <span className="w-coin-option__price w-number">{formatUsd(first.price)}</span>}
    </div>
  );
}
