import { useTranslation } from "react-i18next";
import { ADDRESS_UNPAYABLE, memoContext } from "#contract/address.ts";
import type { Order } from "#contract/order.ts";
import { AddressField } from "../../../address/address-field.tsx";
import { MemoField } from "../../../address/memo-field.tsx";
import { useIncorrectText } from "../../../address/use-incorrect-text.ts";
import type { CustomerRequest } from "../requests/use-customer-request.ts";
import { REFUND_ADDRESS_ID, REFUND_MEMO_ID } from "./refund-address-id.ts";
import type { RefundForm } from "./use-refund-form.ts";

export type RefundAddressFieldProps = {
  readonly order: Order;
  readonly form: RefundForm;
  readonly request: CustomerRequest;
};

/** The address that a deposit goes back to, with its memo: typed, pasted or scanned, and checked as an order's addresses are. */
export function RefundAddressField({ order, form, request }: RefundAddressFieldProps) {
  const { t } = useTranslation("order");
  const { t: exchange } = useTranslation("exchange");
  const error = useAddressError(order, form, request);
  const { instrumentFrom } = order.pair;
  const context = memoContext(instrumentFrom.networkTitle);
  return (
    <>
      <AddressField
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
      {instrumentFrom.requiresMemo ? (
        <MemoField
          id={REFUND_MEMO_ID}
          name="refundAddressMemo"
          label={t("refund.memo", { context })}
          networkTitle={instrumentFrom.networkTitle}
          value={form.memo}
          onValue={form.typeMemo}
          error={form.isMemoWrong ? exchange("blocker.memoIncorrect", { context }) : null}
        />
      ) : null}
    </>
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
