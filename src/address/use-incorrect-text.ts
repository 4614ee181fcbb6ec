import { useTranslation } from "react-i18next";
import { ADDRESS_UNPAYABLE } from "#contract/address.ts";
import type { Instrument } from "#contract/instrument.ts";
import { hasAddressShape } from "./address-shape.ts";

export type IncorrectAddress = {
  readonly address: string;
  readonly instrument: Pick<Instrument, "currencyTitle" | "networkTitle">;
  /** The service's code, null where it gave none. */
  readonly rejectedAs: string | null;
};

/** What is said of an address that the service refused; the last characters are worth a look only where the rest fits. */
export function useIncorrectText(): (refused: IncorrectAddress) => string {
  const { t } = useTranslation("exchange");
  return ({ address, instrument: { currencyTitle: ticker, networkTitle }, rejectedAs }) => {
    // This one code has a text of its own (spec §5).
    if (rejectedAs === "address_reject_iotx") return t("blocker.address_reject_iotx");
    if (rejectedAs === ADDRESS_UNPAYABLE) return t("blocker.addressUnpayable", { ticker });
    return t(hasAddressShape(networkTitle, address) ? "blocker.addressMistyped" : "blocker.addressIncorrect", {
      ticker,
    });
  };
}
