import { useTranslation } from "react-i18next";
import { formatCrypto } from "../../../shared/format/format.ts";
import { BLOCKERS, type Fix, type Blocker } from "../model/blockers.ts";
import { applyBound, selectRateMode } from "../store/state.ts";
import { instrumentOf } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";

export type OfferedFix = { name: Fix; words: string; act: () => void };

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
      const words = canSwitch ? t("fix.useTicker", { amount, ticker }) : t("fix.use", { amount });
      return { words, act: () => applyBound(state, blocker) };
    },
    "switch-to-floating": () =>
      canSwitch ? { words: t("fix.switchToFloating"), act: () => selectRateMode(state, "FLOATING") } : null,
    "choose-coin": () => (selectCoin === undefined ? null : { words: t("fix.chooseCoin"), act: selectCoin }),
    "retry-rate": () => ({ words: t("rate.retry"), act: () => live.retryRate() }),
  };
  return fixes.flatMap((name) => {
    const fix = made[name]();
    return fix === null ? [] : [{ name, ...fix }];
  });
}
