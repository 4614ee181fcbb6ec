import { useTranslation } from "react-i18next";
import { formatCrypto } from "../../../shared/format/format.ts";
import { instrumentOf, knownRate, rateStatus } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";

/** What Telegram's own button says, with the sum in it; undefined while the sum is not known. */
export function useNativeLabel(): string | undefined {
  const { t } = useTranslation("exchange");
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  const rate = rateStatus(catalogue, state) === "ready" ? knownRate(state) : null;
  if (rate === null) return undefined;
  const { precisionDecimals, currencyTitle } = instrumentOf(catalogue, state.from);
  const amount = `${formatCrypto(rate.amountToGive, precisionDecimals)}\u00A0${currencyTitle}`;
  return t("destination.createFor", { amount });
}
