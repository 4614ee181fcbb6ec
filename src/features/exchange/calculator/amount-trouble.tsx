import { useT } from "../../../lib/i18n/index.ts";
import { formatCrypto } from "../../../lib/format.ts";
import { Button, Icon } from "../../../ui/index.ts";
import { useBlockerText } from "../blocker-text.ts";
import type { Blocker } from "../model/form-state.ts";
import { compareDecimals } from "../model/decimal.ts";
import { applyBound, chooseRateMode } from "../store/actions.ts";
import { instrumentOf } from "../store/derived.ts";
import { useExchangeState, useExchangeStore } from "../store/exchange-store.tsx";

type Bound = Extract<Blocker, { expected: string }>;

export const isBound = (blocker: Blocker | undefined): blocker is Bound =>
  blocker !== undefined && "expected" in blocker;

/** What is wrong with an amount and the ways out, inside the card that it belongs to. */
export function AmountTrouble({ id, blocker }: { readonly id: string; readonly blocker: Bound }) {
  const t = useT("exchange");
  const { catalogue, state } = useExchangeStore();
  const { rateMode, rate } = useExchangeState();
  const ticker = instrumentOf(catalogue, blocker.slug).currencyTitle;
  const amount = formatCrypto(blocker.expected, 18);
  const isFixedTooBig = blocker.kind === "amount-too-big" && rateMode === "FIXED";
  const floatingMax = isFixedTooBig ? higher(rate.data?.generalMaxAmount, blocker.expected) : null;
  return (
    <div className={isFixedTooBig ? "w-amount-trouble w-amount-trouble--two" : "w-amount-trouble"}>
      <p id={id} className="w-amount-trouble__text">
        <Icon name="error" size={20} />
        <span>
          {useBlockerText()(blocker)}
          {floatingMax === null ? null : (
            <span className="w-amount-trouble__more">
              {t("blocker.tooBigFloatingTakes", { amount: formatCrypto(floatingMax), ticker })}
            </span>
          )}
        </span>
      </p>
      <div className="w-amount-trouble__fixes">
        <Button variant="soft" onClick={() => applyBound(state, blocker)}>
          {isFixedTooBig ? t("fix.useTicker", { amount, ticker }) : t("fix.use", { amount })}
        </Button>
        {isFixedTooBig ? (
          <Button variant="soft" onClick={() => chooseRateMode(state, "FLOATING")}>
            {t("fix.switchToFloating")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const higher = (general: string | null | undefined, than: string): string | null =>
  general != null && compareDecimals(general, than) > 0 ? general : null;
