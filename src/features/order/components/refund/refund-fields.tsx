import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { AddressGroups, TextField } from "../../../../shared/ui/index.ts";
import type { CustomerRequest } from "../../use-owner-request.ts";
import type { RefundForm } from "./use-refund-form.ts";
import "./refund-fields.css";

type RefundFieldsProps = {
  readonly order: Order;
  readonly form: RefundForm;
  readonly request: CustomerRequest;
  readonly field: Ref<HTMLInputElement>;
};

/** Where a refund goes: shown where it was set at creation, else asked for and checked as it is typed. */
export function RefundFields({ order, form, request, field }: RefundFieldsProps) {
  const { t } = useTranslation("order");
  const { instrumentFrom } = order.pair;
  const ticker = instrumentFrom.currencyTitle;
  const error = useAddressError(form, request, ticker);
  const label = t("summary.refund", { network: instrumentFrom.networkFriendlyTitle });
  if (order.refundAddress !== null) {
    return (
      <div>
        <p className="w-order-summary__label">{label}</p>
        <AddressGroups address={order.refundAddress} />
        {order.refundAddressMemo === null ? null : (
          <p className="w-order-summary__label">{t("get.memo", { memo: order.refundAddressMemo })}</p>
        )}
        <p className="w-order-refund__hint">{t("refund.addressSet")}</p>
      </div>
    );
  }
  return (
    <div className="w-order-refund__fields">
      <TextField
        ref={field}
        id="refund-address"
        name="refundAddress"
        mono
        required
        maxLength={512}
        label={label}
        hint={t("refund.addressHint", { ticker })}
        value={form.address}
        onValue={(typed) => {
          request.forget();
          form.typeAddress(typed);
        }}
        onBlur={() => form.typeAddress(form.address.trim())}
        error={error}
        valid={form.check === "valid" ? t("refund.addressValid", { ticker }) : null}
        busy={form.check === "checking" ? t("refund.addressChecking") : null}
      />
      {instrumentFrom.requiresMemo ? (
        <TextField
          id="refund-memo"
          name="refundAddressMemo"
          mono
          maxLength={128}
          label={t("refund.memo")}
          value={form.memo}
          onValue={form.typeMemo}
        />
      ) : null}
    </div>
  );
}

function useAddressError({ addressError }: RefundForm, { failure }: CustomerRequest, ticker: string): string | null {
  const { t } = useTranslation("order");
  const refused = failure?.kind === "address" ? failure.reason : null;
  if (addressError?.kind === "address-empty") return t("refund.addressEmpty");
  if (addressError?.kind === "address-same" || refused === "same") return t("refund.addressSame");
  if (addressError?.kind === "address-incorrect" || refused === "incorrect")
    return t("refund.addressIncorrect", { ticker });
  return null;
}
