import type { ReactNode } from "react";
import { useT } from "../../../lib/i18n/index.ts";
import { formatUsd } from "../../../lib/format.ts";
import { classNames, Skeleton } from "../../../ui/index.ts";
import { canonicalAmount } from "../model/amount-input.ts";
import { multiplyDecimals } from "../model/decimal.ts";
import type { Side } from "../model/page-query.ts";
import { typeAmount } from "../store/actions.ts";
import { useExchangeStore } from "../store/exchange-store.tsx";
import "./amount-card.css";
import { AmountField } from "./amount-field.tsx";
import { CoinPill } from "./coin-pill.tsx";
import { useSide } from "./use-sides.ts";

type AmountCardProps = {
  readonly id: string;
  readonly side: Side;
  readonly label: string;
  readonly limits?: string | null;
  readonly isFaulty: boolean;
  /** What is wrong and the way out; its words have the id `{id}-trouble`. */
  readonly trouble: ReactNode;
  readonly onChooseCoin: () => void;
};

/** One side of the calculator: label, amount, dollars, coin, and what is wrong with them. */
export function AmountCard({ id, side, label, limits, isFaulty, trouble, onChooseCoin }: AmountCardProps) {
  const t = useT("exchange");
  const { state } = useExchangeStore();
  const { instrument, amount, priceUsd, isTyped, isLoading, isKnown } = useSide(side);
  const described = [limits && `${id}-limits`, trouble && `${id}-trouble`].filter(Boolean).join(" ");
  return (
    <div className={classNames("w-amount-card", isFaulty && "w-amount-card--faulty")}>
      <div className="w-amount-card__head">
        <label className="w-amount-card__label" htmlFor={id}>
          {label}
        </label>
        {limits ? (
          <span id={`${id}-limits`} className="w-amount-card__limits w-number">
            {limits}
          </span>
        ) : null}
      </div>
      <div className="w-amount-card__row">
        <div className="w-amount-card__amount">
          <AmountField
            id={id}
            name={side === "send" ? "amount-to-send" : "amount-to-get"}
            amount={amount}
            decimals={instrument.precisionDecimals}
            isTyped={isTyped}
            placeholder={isTyped ? "0" : isLoading ? "" : "–"}
            onAmount={(text) => typeAmount(state, side, text)}
            isInvalid={isFaulty}
            describedBy={described === "" ? undefined : described}
          />
          {isLoading ? (
            <span className="w-amount-card__skeleton">
              <Skeleton width="72%" height={28} />
            </span>
          ) : null}
        </div>
        <CoinPill
          instrument={instrument}
          action={t(side === "send" ? "calculator.chooseSend" : "calculator.chooseGet")}
          onPress={onChooseCoin}
        />
      </div>
      <p className="w-amount-card__usd w-number">
        {isKnown && priceUsd !== null ? dollars(amount, priceUsd, instrument.precisionDecimals) : null}
      </p>
      {trouble}
    </div>
  );
}

function dollars(amount: string, priceUsd: string, decimals: number): string | null {
  const canonical = canonicalAmount(amount, decimals);
  return canonical === "" ? null : formatUsd(multiplyDecimals(canonical, priceUsd));
}
