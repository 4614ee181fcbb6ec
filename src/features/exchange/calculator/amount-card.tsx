import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { multiplyDecimals } from "#contract/money.ts";
import type { Instrument } from "#contract/instrument.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { placeName } from "../../../shared/format/place-name.ts";
import { formatFiat, formatUsd } from "../../../shared/format/format.ts";
import { classNames, Skeleton, CoinMark, Icon, VisuallyHidden } from "../../../shared/ui/index.ts";
import { canonicalAmount } from "../../../shared/format/amount-input.ts";
import type { Side } from "../model/calculator-url.ts";
import { isFiat } from "../model/kind.ts";
import { setAmount } from "../store/state.ts";
import { useExchangeStore } from "../store/provider.tsx";
import { AmountField } from "./amount-field.tsx";
import { useSide } from "./use-calculator.ts";
import "./amount-card.css";
import "./amount-error.css";
import "./coin-pill.css";

type AmountCardProps = {
  readonly id: string;
  readonly side: Side;
  readonly label: string;
  readonly limits?: string | null;
  /** What is wrong and the way out; its words have the id `{id}-error`. Takes the place of the limits. */
  readonly error: ReactNode;
  readonly onChooseCoin: () => void;
};

/** One side of the calculator: label, amount, dollars, coin, and what is wrong with them. */
export function AmountCard({ id, side, label, limits, error, onChooseCoin }: AmountCardProps) {
  const { t } = useTranslation("exchange");
  const { state } = useExchangeStore();
  const { instrument, amount, priceUsd, cardWorth, methods, isTyped, isLoading, isKnown } = useSide(side);
  const isFaulty = error !== null;
  const isOffline = !useOnline();
  const described = isFaulty ? `${id}-error` : limits ? `${id}-limits` : undefined;
  return (
    <div
      className={classNames(
        "w-amount-card",
        isFaulty && "w-amount-card--faulty",
        isOffline && "w-amount-card--offline",
      )}
    >
      <div className="w-amount-card__head">
        <label className="w-amount-card__label" htmlFor={id}>
          {label}
        </label>
        {limits && !isFaulty ? (
          <span id={`${id}-limits`} className="w-amount-card__limits w-number">
            {limits}
          </span>
        ) : null}
      </div>
      <div className="w-amount-card__row">
        <div className="w-amount-card__amount">
          <AmountField
            id={id}
            name={side === "from" ? "amount-to-send" : "amount-to-get"}
            amount={amount}
            decimals={instrument.precisionDecimals}
            isTyped={isTyped}
            placeholder={isTyped ? "0" : isLoading ? "" : "–"}
            onAmount={(text) => setAmount(state, side, text)}
            isInvalid={isFaulty}
            describedBy={described}
          />
          {isLoading ? (
            <span className="w-amount-card__skeleton">
              <Skeleton width="72%" height={28} />
            </span>
          ) : null}
        </div>
        <CoinPill
          id={`${id}-coin`}
          instrument={instrument}
          action={t(side === "from" ? "calculator.chooseSend" : "calculator.chooseGet")}
          onPress={onChooseCoin}
        />
      </div>
      <div className="w-amount-card__usd w-number">
        {isLoading && !isFiat(instrument) ? <Skeleton width={64} height={14} /> : null}
        {isFiat(instrument)
          ? methods
          : cardWorth !== null
            ? `${formatFiat(cardWorth.amount)}\u00a0${cardWorth.ticker}`
            : isKnown && priceUsd !== null
              ? dollars(amount, priceUsd, instrument.precisionDecimals)
              : null}
      </div>
      {error}
    </div>
  );
}

function dollars(amount: string, priceUsd: string, decimals: number): string | null {
  const canonical = canonicalAmount(amount, decimals);
  return canonical === "" ? null : formatUsd(multiplyDecimals(canonical, priceUsd));
}

type CoinPillProps = {
  readonly id: string;
  readonly instrument: Instrument;
  /** What pressing it does, after the coin's name. */
  readonly action: string;
  readonly onPress: () => void;
};

/** The coin of a side; opens the list of coins. */
function CoinPill({ id, instrument, action, onPress }: CoinPillProps) {
  const { t: common } = useTranslation("common");
  return (
    <button id={id} type="button" className="w-coin-pill" aria-haspopup="dialog" onClick={onPress}>
      <CoinMark instrument={instrument} size={32} />
      <span className="w-coin-pill__text">
        <bdi className="w-coin-pill__ticker">{instrument.currencyTitle}</bdi>
        <bdi className="w-coin-pill__network">{placeName(instrument, common)}</bdi>
        <VisuallyHidden>{action}</VisuallyHidden>
      </span>
      <Icon name="chevron-down" size={18} />
    </button>
  );
}
