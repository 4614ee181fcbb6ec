import { formatCrypto } from "../../../shared/format/format.ts";
import { useTranslation } from "react-i18next";
import { BLOCKERS, type Fix } from "../model/blocker-words.ts";
import type { Blocker } from "../model/form-state.ts";
import { applyBound, chooseRateMode } from "../store/actions.ts";
import { instrumentOf } from "../store/derived.ts";
import { useExchangeState, useExchangeStore } from "../store/exchange-store.tsx";

export type OfferedFix = { name: Fix; words: string; act: () => void };

/** The ways out that `BLOCKERS` names for a blocker, without those that mean nothing now. */
export function useFixes(blocker: Blocker, chooseCoin?: () => void): OfferedFix[] {
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
      canSwitch ? { words: t("fix.switchToFloating"), act: () => chooseRateMode(state, "FLOATING") } : null,
    "choose-coin": () => (chooseCoin === undefined ? null : { words: t("fix.chooseCoin"), act: chooseCoin }),
    "retry-rate": () => ({ words: t("rate.retry"), act: () => live.retryRate() }),
  };
  return fixes.flatMap((name) => {
    const fix = made[name]();
    return fix === null ? [] : [{ name, ...fix }];
  });
}
