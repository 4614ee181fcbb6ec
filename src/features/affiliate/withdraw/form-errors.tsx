import { useTranslation } from "react-i18next";
import type { AddressCheck } from "../../../address/address-check.ts";
import { useIncorrectText } from "../../../address/use-incorrect-text.ts";
import type { Instrument } from "#contract/instrument.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { Note } from "../../../shared/ui/index.ts";
import type { AmountError, WithdrawalErrors, WithdrawalFailure } from "../model/withdrawal.ts";

/** What is said under the form's fields. */
export function useErrorTexts(instrument: Instrument) {
  const { t } = useTranslation("earnings");
  const incorrectText = useIncorrectText();
  return {
    address: (error: NonNullable<WithdrawalErrors["address"]>, address: string, check: AddressCheck): string =>
      error === "error_address_empty"
        ? t("error.error_address_empty", { ticker: instrument.currencyTitle })
        : incorrectText({ address, instrument, rejectedAs: typeof check === "object" ? check.rejectedAs : null }),
    // spec §8: the text, the number as the service gave it, and the coin.
    amount: (error: AmountError): string =>
      error.kind === "tooSmall"
        ? `${t("error.withdrawalAmountTooSmall")} ${formatCrypto(error.smallest)}\u00a0${instrument.currencyTitle}`
        : t(`error.${error.kind}`, { decimals: instrument.precisionDecimals }),
  };
}

/** A withdrawal that was not taken, for no reason of its fields; or of which nobody knows. */
export function WithdrawalFailureNote({ failure }: { readonly failure: WithdrawalFailure | null }) {
  const { t } = useTranslation("earnings");
  if (failure === null || failure.kind === "fields") return null;
  if (failure.kind === "general") return <Note tone="danger" title={t(`failed.${failure.failure}`)} />;
  return (
    <Note tone="danger" title={t("failed.unknown")}>
      {t("failed.unknownText")}
    </Note>
  );
}
