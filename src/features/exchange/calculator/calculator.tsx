import { Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { formatCrypto } from "../../../shared/format/format.ts";
import { useI18n } from "../../../shared/i18n/index.ts";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { BottomBar, classNames, Icon, LiveRegion, PrimaryAction } from "../../../shared/ui/index.ts";
import { BLOCKERS, blockerAt, type Blocker, blockersOf } from "../model/blockers.ts";
import { type Side, exchangePath, homePath } from "../model/calculator-url.ts";
import { swapCoins } from "../store/state.ts";
import { instrumentOf, knownRate, settingsOf } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { AmountCard } from "./amount-card.tsx";
import { AmountError } from "./amount-error.tsx";
import { KindChoice } from "./kind-choice.tsx";
import { CardRate } from "./lazy-card-rate.tsx";
import { RateCard } from "./rate-card.tsx";
import { RateModeChoice } from "./rate-mode.tsx";
import { useBlockers, useIsPairLoading, useKind, useSide } from "./use-calculator.ts";
import "./calculator.css";

const selector = lazyWithPreload(
  "src/features/exchange/selector/coin-selector.tsx",
  async () => (await import("../selector/coin-selector.tsx")).CoinSelector,
  ["exchange"],
);

type CalculatorProps = {
  /** Where Back from the next step comes back to. */
  readonly place: "home" | "exchange";
  /** False where the next step is already on the screen. */
  readonly hasContinue?: boolean;
};

/** Two amounts, their coins, the rate mode and the rate; its layout follows its own width. */
export function Calculator({ place, hasContinue = true }: CalculatorProps) {
  const { t } = useTranslation("exchange");
  const i18n = useI18n();
  const { state } = useExchangeStore();
  const now = useExchangeState();
  const { rateMode } = now;
  const rate = knownRate(now);
  const kind = useKind();
  const [choosing, setChoosing] = useState<{ side: Side; isOpen: boolean } | null>(null);
  const id = useId();
  const found = useBlockers();
  const limits = useLimits();
  const atFrom = blockerAt(found, "from");
  const atTo = blockerAt(found, "to");
  const isPairLoading = useIsPairLoading();
  const choose = (side: Side) => {
    // Where the dialog gives the focus back to, also if what opened it has gone.
    document.getElementById(`${id}-${side}-coin`)?.focus();
    setChoosing({ side, isOpen: true });
  };
  const amountErrorAt = (side: Side, blocker: Blocker | undefined) =>
    blocker === undefined || BLOCKERS[blocker.kind].text === null ? null : (
      <AmountError fieldId={`${id}-${side}`} blocker={blocker} onChooseCoin={() => choose("to")} />
    );
  return (
    <section className="w-calculator" aria-label={t("calculator.label")} onPointerEnter={() => selector.prefetch(i18n)}>
      <div className="w-calculator__card">
        <KindChoice />
        <div className="w-calculator__sides">
          <AmountCard
            id={`${id}-from`}
            side="from"
            label={t(kind === "buy" ? "calculator.pay" : "calculator.send")}
            limits={limits.short}
            error={amountErrorAt("from", atFrom)}
            onChooseCoin={() => choose("from")}
          />
          <button
            type="button"
            className={classNames("w-calculator__swap", isPairLoading && "w-calculator__swap--waiting")}
            aria-label={t("calculator.swap")}
            aria-disabled={isPairLoading}
            onClick={() => {
              if (isPairLoading) return;
              swapCoins(state);
              playHaptic("swap");
            }}
          >
            <Icon name="swap" size={20} />
          </button>
          <AmountCard
            id={`${id}-to`}
            side="to"
            label={t(rateMode === "FIXED" ? "calculator.getExactly" : "calculator.getAbout")}
            error={amountErrorAt("to", atTo)}
            onChooseCoin={() => choose("to")}
          />
        </div>
        {kind === "exchange" ? <RateModeChoice /> : null}
        <RateCard />
        {rate?.card == null ? null : <CardRate part="note" rate={rate} terms={rate.card} />}
        {limits.long === null ? null : <p className="w-calculator__limits w-number">{limits.long}</p>}
        {hasContinue ? <ContinueBar place={place} /> : null}
      </div>
      <LiveRegion text={useComputedAmountText()} />
      {choosing === null ? null : (
        <Suspense>
          <selector.Component
            side={choosing.side}
            isOpen={choosing.isOpen}
            onClose={() => setChoosing({ ...choosing, isOpen: false })}
          />
        </Suspense>
      )}
    </section>
  );
}

/** The computed amount as a sentence; empty until there is one. */
function useComputedAmountText(): string {
  const { t } = useTranslation("exchange");
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  const rate = knownRate(state);
  const isTo = state.side === "from";
  const { isLoading, amount } = useSide(isTo ? "to" : "from");
  if (rate === null || isLoading || amount === "") return "";
  const ticker = instrumentOf(catalogue, isTo ? state.to : state.from).currencyTitle;
  const key = !isTo
    ? "calculator.computedSend"
    : rate.rateMode === "FIXED"
      ? "calculator.computedGetExactly"
      : "calculator.computedGet";
  return t(key, { amount: formatCrypto(amount), ticker });
}

/** What blocks the order and is shown nowhere else. */
const SAID_ON_IT: Partial<Record<Blocker["kind"], "calculator.waitingForNetwork" | "calculator.enterAmount">> = {
  offline: "calculator.waitingForNetwork",
  "amount-empty": "calculator.enterAmount",
};

/** To the destination step; the page left behind keeps what was typed in its address, for Back. */
function ContinueBar({ place }: { readonly place: "home" | "exchange" }) {
  const { settings, ...next } = useContinue();
  const [, navigate] = useLocation();
  return (
    <BottomBar>
      <PrimaryAction
        {...next}
        onClick={() => navigate(place === "home" ? homePath(settings) : exchangePath(settings), { replace: true })}
      />
    </BottomBar>
  );
}

/** What a button has that leads to the destination step, and what the calculator holds. */
export function useContinue() {
  const { t } = useTranslation("exchange");
  const settings = settingsOf(useExchangeState());
  const [first] = blockersOf(useBlockers(), "calculator").filter(({ kind }) => kind !== "rate-loading");
  return {
    settings,
    stretched: true,
    disabled: first !== undefined,
    href: exchangePath(settings, "destination"),
    children: t(first === undefined ? "calculator.continue" : (SAID_ON_IT[first.kind] ?? "calculator.continue")),
  } as const;
}

/** The bounds of the sent amount, once for the card and once as a sentence for the narrow form; null while unknown. */
function useLimits(): { short: string | null; long: string | null } {
  const { t } = useTranslation("exchange");
  const rate = knownRate(useExchangeState());
  if (rate === null) return { short: null, long: null };
  const { minAmount, maxAmount } = rate.depositRules;
  const min = formatCrypto(minAmount);
  const ticker = rate.instrumentFrom.currencyTitle;
  if (maxAmount === null) {
    return { short: t("calculator.limitsFrom", { min }), long: t("calculator.limitsCaptionFrom", { min, ticker }) };
  }
  const max = formatCrypto(maxAmount);
  return { short: t("calculator.limits", { min, max }), long: t("calculator.limitsCaption", { min, max, ticker }) };
}
