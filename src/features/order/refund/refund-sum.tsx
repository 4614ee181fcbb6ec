import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { Skeleton, VisuallyHidden } from "../../../shared/ui/index.ts";
import { coinText } from "../model/amount-text.ts";
import "./refund.css";

type ChangedSumProps = {
  readonly now: string | null;
  readonly before: string | null;
  /** The sum itself holds no more, and nothing replaces it yet. */
  readonly hasEnded?: boolean;
};

/** A sum in large, with the one that it replaces struck out before it. */
export function ChangedSum({ now, before, hasEnded = false }: ChangedSumProps) {
  const { t } = useTranslation("order");
  return (
    <span className="w-order-sum w-number">
      {before === null || hasEnded ? null : (
        <del className="w-order-sum__before">
          <VisuallyHidden>{t("choice.before")} </VisuallyHidden>
          {before}
        </del>
      )}
      {now === null ? <Skeleton width={160} height={30} /> : hasEnded ? <del>{now}</del> : <span>{now}</span>}
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
