import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { formatCrypto, formatFee, formatUsd } from "../../../shared/format/format.ts";
import { memoContext } from "#contract/address.ts";
import { formatAbout } from "../../../shared/format/format-time.ts";
import type { Side } from "../model/calculator-url.ts";
import { networkSeconds } from "../model/network-times.ts";
import { classNames, CoinMark, Icon, VisuallyHidden } from "../../../shared/ui/index.ts";
import { optionId } from "./search-field.tsx";

export type OptionProps = {
  readonly instrument: Instrument;
  readonly listId: string;
  /** Set under its coin's heading: shown by its network alone. */
  readonly underHeading: { readonly isFirst: boolean; readonly isLast: boolean } | null;
  /** Among all options of the list, of which the page holds only a part; from 1. */
  readonly position: number;
  readonly count: number;
  readonly query: string;
  readonly chosen: string;
  readonly otherSide: string;
  readonly activeSlug: string | null;
  /** What is sent has a time to be confirmed in; what is received has one of the payout, and its fee. */
  readonly side: Side;
  readonly onChoose: (slug: string) => void;
};

export function CoinOption(props: OptionProps) {
  const { instrument, listId, underHeading, position, count, query, chosen, activeSlug, side, onChoose } = props;
  const { t } = useTranslation("exchange");
  const { slug, price, payoutFee } = instrument;
  const details = useDetails(props);
  return (
    // The focus stays in the search; keys are its own (combobox pattern).
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={optionId(listId, slug)}
      role="option"
      tabIndex={-1}
      aria-selected={slug === chosen}
      aria-setsize={count}
      aria-posinset={position}
      className={classNames(
        "w-coin-option",
        underHeading !== null && "w-coin-option--network",
        underHeading?.isFirst && "w-coin-option--first",
        underHeading?.isLast && "w-coin-option--last",
        slug === activeSlug && "w-coin-option--active",
      )}
      onClick={() => onChoose(slug)}
    >
      {underHeading === null ? (
        <CoinMark instrument={instrument} size={36} />
      ) : (
        <CoinMark instrument={{ ...instrument, currencyTitle: instrument.networkTitle }} size={24} />
      )}
      <span className="w-coin-option__text">
        <span className="w-coin-option__name">
          {underHeading === null ? (
            <bdi>
              <Matched text={instrument.currencyFriendlyTitle} query={query} />
            </bdi>
          ) : (
            <>
              <VisuallyHidden>{instrument.currencyFriendlyTitle}, </VisuallyHidden>
              <bdi>{instrument.networkStandard ?? instrument.networkFriendlyTitle}</bdi>
            </>
          )}
        </span>
        {details === "" ? null : (
          <span className="w-coin-option__detail">
            <Matched text={details} query={query} />
          </span>
        )}
      </span>
      {underHeading !== null && side === "to" && payoutFee !== null ? (
        <span className="w-coin-option__fee w-number">
          {t("selector.fee", { fee: formatFee(payoutFee), ticker: instrument.currencyTitle })}
        </span>
      ) : null}
      {instrument.cardMinAmount == null || side === "to" ? null : (
        <span className="w-coin-option__price w-number">
          {t("selector.from", { amount: formatCrypto(instrument.cardMinAmount) })}
        </span>
      )}
      {price === null || underHeading !== null || instrument.instrumentType === "fiat" ? null : (
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

function useDetails({ instrument, underHeading, otherSide, side, query }: OptionProps): string {
  const { t } = useTranslation("exchange");
  const { t: common } = useTranslation("common");
  const {
    slug,
    currencyTitle: ticker,
    networkTitle,
    networkFriendlyTitle: network,
    requiresMemo,
    payoutFee,
  } = instrument;
  const isFiat = instrument.instrumentType === "fiat";
  const alone = isFiat ? t("selector.byCard", { ticker }) : ticker;
  const coin = ticker === networkTitle ? alone : t("selector.onNetwork", { ticker, network });
  // Found networks of one coin are compared like those under its heading.
  const isFound = underHeading === null && query.trim() !== "" && !isFiat;
  const seconds = underHeading !== null || isFound ? networkSeconds(instrument, side) : null;
  const fee = isFound && side === "to" ? payoutFee : null;
  return [
    underHeading === null ? coin : null,
    underHeading !== null && instrument.networkStandard !== null ? network : null,
    seconds === null ? null : formatAbout(common, seconds),
    fee === null ? null : t("selector.fee", { fee: formatFee(fee), ticker }),
    requiresMemo ? t("selector.needsMemo", { context: memoContext(networkTitle) }) : null,
    slug === otherSide ? t(side === "to" ? "selector.isSent" : "selector.isReceived") : null,
  ]
    .filter((detail) => detail !== null)
    .join(", ");
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
