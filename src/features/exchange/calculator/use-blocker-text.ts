import { useTranslation } from "react-i18next";
import { memoContext } from "#contract/address.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { BLOCKERS, type Blocker, type Fix } from "../model/blockers.ts";
import { instrumentOf } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { applyBound, selectRateMode } from "../store/state.ts";

/** What is said about a blocker; null where its field shows it already. */
export function useBlockerText(): (blocker: Blocker | undefined) => string | null {
  const { t } = useTranslation("exchange");
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  const tickerOf = (slug: string) => instrumentOf(catalogue, slug).currencyTitle;
  return (blocker) => {
    if (blocker === undefined) return null;
    switch (blocker.kind) {
      case "amount-too-small":
      case "amount-too-big":
        return t(boundWords(blocker.kind, state.rateMode), {
          amount: formatCrypto(blocker.expected, 18),
          ticker: tickerOf(blocker.slug),
        });
      case "pair-unsupported":
        return t("blocker.pairUnsupported", { from: tickerOf(state.from), to: tickerOf(state.to) });
      case "address-empty":
        return t("blocker.addressEmpty", { ticker: tickerOf(state.to) });
      case "memo-empty":
        return t("blocker.memoEmpty", { context: memoContext(instrumentOf(catalogue, state.to).networkTitle) });
      case "memo-incorrect":
        return t("blocker.memoIncorrect", { context: memoContext(instrumentOf(catalogue, state.to).networkTitle) });
      case "refund-memo-incorrect":
        return t("blocker.memoIncorrect", { context: memoContext(instrumentOf(catalogue, state.from).networkTitle) });
      case "refund-empty":
        return t("blocker.refundEmpty", { ticker: tickerOf(state.from) });
      case "address-incorrect":
        return t("blocker.addressIncorrect", { ticker: tickerOf(state.to) });
      case "refund-incorrect":
        return t("blocker.addressIncorrect", { ticker: tickerOf(state.from) });
      default: {
        const { text } = BLOCKERS[blocker.kind];
        return text === null ? null : t(text);
      }
    }
  };
}

/** A fixed rate has a bound of its own, and says so. */
const boundWords = (kind: "amount-too-small" | "amount-too-big", rateMode: "FIXED" | "FLOATING") =>
  kind === "amount-too-small" ? "blocker.tooSmall" : rateMode === "FIXED" ? "blocker.tooBigFixed" : "blocker.tooBig";

type OfferedFix = { name: Fix; text: string; act: () => void };

/** The ways out that `BLOCKERS` names for a blocker, without those that mean nothing now. */
export function useFixes(blocker: Blocker, selectCoin?: () => void): OfferedFix[] {
  const { t } = useTranslation("exchange");
  const { catalogue, state, live } = useExchangeStore();
  const isFixed = useExchangeState().rateMode === "FIXED";
  const { fixes } = BLOCKERS[blocker.kind];
  const canSwitch = isFixed && fixes.includes("switch-to-floating");
  const made: Record<Fix, () => Omit<OfferedFix, "name"> | null> = {
    "use-bound": () => {
      if (!("expected" in blocker)) return null;
      const ticker = instrumentOf(catalogue, blocker.slug).currencyTitle;
      const amount = formatCrypto(blocker.expected, 18);
      // Beside another button it says of what.
      const text = canSwitch ? t("fix.useTicker", { amount, ticker }) : t("fix.use", { amount });
      return { text, act: () => applyBound(state, blocker) };
    },
    "switch-to-floating": () =>
      canSwitch ? { text: t("fix.switchToFloating"), act: () => selectRateMode(state, "FLOATING") } : null,
    "choose-coin": () => (selectCoin === undefined ? null : { text: t("fix.chooseCoin"), act: selectCoin }),
    "retry-rate": () => ({ text: t("rate.retry"), act: () => live.retryRate() }),
  };
  return fixes.flatMap((name) => {
    const fix = made[name]();
    return fix === null ? [] : [{ name, ...fix }];
  });
}
