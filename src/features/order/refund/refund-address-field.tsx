import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { ADDRESS_UNPAYABLE } from "#contract/address.ts";
import type { Order } from "#contract/order.ts";
import { AddressField } from "../../../address/address-field.tsx";
import { useIncorrectText } from "../../../address/use-incorrect-text.ts";
import type { CustomerRequest } from "../requests/use-customer-request.ts";
import { REFUND_ADDRESS_ID } from "./refund-address-id.ts";
import type { RefundForm } from "./use-refund-form.ts";

export type RefundAddressFieldProps = {
  readonly order: Order;
  readonly form: RefundForm;
  readonly request: CustomerRequest;
  readonly field: Ref<HTMLInputElement>;
};

/** The address that a deposit goes back to: typed, pasted or scanned, and checked as an order's addresses are. */
export function RefundAddressField({ order, form, request, field }: RefundAddressFieldProps) {
  const { t } = useTranslation("order");
  const error = useAddressError(order, form, request);
  const { instrumentFrom } = order.pair;
  return (
    <AddressField
      ref={field}
      id={REFUND_ADDRESS_ID}
      label={t("summary.refund", { network: instrumentFrom.networkFriendlyTitle })}
      help={t("refund.addressHint", { ticker: instrumentFrom.currencyTitle })}
      instrument={instrumentFrom}
      value={form.address}
      check={form.check}
      error={error}
      isMemoRemoved={form.isMemoRemoved && instrumentFrom.requiresMemo}
      onValue={(typed, taken) => {
        request.forget();
        form.setAddress(typed, taken);
      }}
    />
  );
}

function useAddressError(
  { pair: { instrumentFrom: instrument } }: Order,
  { addressError, address }: RefundForm,
  { failure }: CustomerRequest,
): string | null {
  const { t } = useTranslation("order");
  const { t: exchange } = useTranslation("exchange");
  const incorrect = useIncorrectText();
  const refused = failure?.kind === "address" ? failure.reason : null;
  if (addressError?.kind === "address-empty") return t("refund.addressEmpty");
  if (addressError?.kind === "address-same" || refused === "same") return exchange("blocker.refundSame");
  if (addressError?.kind === "address-incorrect")
    return incorrect({ address, instrument, rejectedAs: addressError.rejectedAs });
  if (refused === null) return null;
  return incorrect({ address, instrument, rejectedAs: refused === "unpayable" ? ADDRESS_UNPAYABLE : null });
}
