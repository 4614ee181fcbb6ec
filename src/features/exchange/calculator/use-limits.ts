import { useTranslation } from "react-i18next";
import { formatCrypto } from "../../../shared/format/format.ts";
import { knownRate } from "../store/selectors.ts";
import { useExchangeState } from "../store/provider.tsx";

/** The bounds of the sent amount, once for the card and once as a sentence for the narrow form; null while unknown. */
export function useLimits(): { short: string | null; long: string | null } {
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
