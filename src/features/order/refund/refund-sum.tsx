import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { Skeleton, VisuallyHidden } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import "./refund.css";

/** A sum in large, with the one that it replaces struck out before it. */
export function ChangedSum({ now, before }: { readonly now: string | null; readonly before: string | null }) {
  const { t } = useTranslation("order");
  return (
    <span className="w-order-sum w-number">
      {before === null ? null : (
        <del className="w-order-sum__before">
          <VisuallyHidden>{t("choice.before")} </VisuallyHidden>
          {before}
        </del>
      )}
      {now === null ? <Skeleton width={160} height={30} /> : <span>{now}</span>}
    </span>
  );
}

type RefundSumProps = { readonly order: Order; readonly amount: string | null; readonly before: string | null };

/** What a refund delivers, the network fee already taken. */
export function RefundSum({ order, amount, before }: RefundSumProps) {
  const { instrumentFrom } = order.pair;
  return (
    <ChangedSum
      now={amount === null ? null : coinText(amount, instrumentFrom)}
      before={before === null ? null : coinText(before, instrumentFrom)}
    />
  );
}
