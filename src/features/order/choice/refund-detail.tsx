import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { coinText } from "../model/amount-text.ts";
import { ShortHash } from "../page/details.tsx";
import { useOpenChoice } from "./choice-context.tsx";

/** As long as a network fee gets: its lines are kept for the one that is asked for. */
const SAMPLE_FEE = "0.00000001";

/** Where a refund goes, and what its network takes. */
export function RefundDetail({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { figures, choice } = useOpenChoice();
  const { refund } = choice.shown;
  const isAwaited = refund === null && figures.info !== "failed";
  const networkFee = refund?.networkFee ?? (isAwaited ? SAMPLE_FEE : null);
  const fee =
    networkFee === null ? null : t("choice.refundFee", { amount: coinText(networkFee, order.pair.instrumentFrom) });
  const { refundAddress } = order;
  return (
    <>
      {refundAddress === null ? null : (
        <>
          {t("choice.refundTo")} <ShortHash value={refundAddress} />
        </>
      )}
      {fee === null ? null : (
        <span className={isAwaited ? "w-order-choice__awaited" : undefined} aria-hidden={isAwaited || undefined}>
          {refundAddress === null ? fee : `, ${fee}`}
        </span>
      )}
    </>
  );
}
