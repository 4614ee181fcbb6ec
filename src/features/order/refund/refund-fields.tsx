import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { memoContext } from "#contract/address.ts";
import { AddressGroups, AroundForeignText, Skeleton } from "../../../shared/ui/index.ts";
import { refundAddressField } from "./lazy-refund-address-field.ts";
import type { RefundAddressFieldProps } from "./refund-address-field.tsx";
import "./refund.css";

/** Where a refund goes: shown where it was set at creation, else asked for and checked as it is typed. */
export function RefundFields(props: RefundAddressFieldProps) {
  const { order } = props;
  const { t } = useTranslation("order");
  const { instrumentFrom } = order.pair;
  if (order.refundAddress !== null) {
    return (
      <div>
        <p className="w-order-summary__label">
          {t("summary.refund", { network: instrumentFrom.networkFriendlyTitle })}
        </p>
        <AddressGroups address={order.refundAddress} />
        {order.refundAddressMemo === null ? null : (
          <p className="w-order-summary__label">
            <AroundForeignText
              isMemo
              sentence={t("get.memo", { memo: "\n", context: memoContext(order.pair.instrumentFrom.networkTitle) })}
              text={order.refundAddressMemo}
            />
          </p>
        )}
        <p className="w-order-refund__hint">{t("refund.addressSet")}</p>
      </div>
    );
  }
  return (
    <div className="w-order-refund__fields">
      <Suspense fallback={<FieldRoom hasMemo={instrumentFrom.requiresMemo} />}>
        <refundAddressField.Component {...props} />
      </Suspense>
    </div>
  );
}

const FieldRoom = ({ hasMemo }: { readonly hasMemo: boolean }) => (
  <>
    <Skeleton width="100%" height={64} />
    {hasMemo ? <Skeleton width="100%" height={64} /> : null}
  </>
);
