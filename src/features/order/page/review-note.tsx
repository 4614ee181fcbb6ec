import { useTranslation } from "react-i18next";
import { isOrderOver } from "#contract/order-progress.ts";
import type { Order } from "#contract/order.ts";
import { Note } from "../../../shared/ui/index.ts";
import { exactCoinText } from "../model/amount-text.ts";
import { isTooSmall } from "../model/choice/refund-form.ts";
import { refundableFrom } from "../model/top-up.ts";
import { CopyDepositAddress, MemoToo } from "../deposit/deposit-address.tsx";
import { Moment } from "./details.tsx";
import { useRefundInfo } from "./use-order.ts";
import { mustWriteToSupport, SupportSentence } from "./support-sentence.tsx";

/** Why an order is held, what it waits for and until when; nothing for one that goes on by itself. */
export function ReviewNote({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const { info } = useRefundInfo(order, order.review?.needed === "TOP_UP");
  if (order.review === null) return null;
  const { reason, needed, until } = order.review;
  const { instrumentFrom } = order.pair;
  const least = typeof info === "object" && isTooSmall(info) ? refundableFrom(order, info.networkFee) : null;
  const ticker = instrumentFrom.currencyTitle;
  // Stray coins have nowhere to go until their owner says so.
  const isRecipientUnknown =
    needed === "OPERATOR" && (reason === "LATE_DEPOSIT" || order.status === "expired") && mustWriteToSupport(order);
  const isTopUp = needed === "TOP_UP";
  const provider = order.card?.provider;
  const card = provider === undefined ? undefined : "card";
  // What comes late for a sale is coins.
  const context = reason === "LATE_DEPOSIT" && order.card?.direction === "sell" ? undefined : card;
  return (
    <div className="w-order-review">
      <Note
        tone={isTopUp ? "signal" : "info"}
        title={t(`review.${reason}.title`, { context })}
        action={isTopUp ? <CopyDepositAddress order={order} /> : undefined}
      >
        {t(`review.${reason}.text`, { ticker, provider, context })}{" "}
        {isRecipientUnknown ? (
          <SupportSentence text="review.needed.CUSTOMER" reference={order.reference} />
        ) : (
          t(`review.needed.${needed}`, {
            provider,
            least: least === null ? undefined : exactCoinText(least, instrumentFrom),
            context: needed === "NETWORK" ? payoutContext(order) : least === null ? card : "least",
          })
        )}
        {until === null ? null : <Until iso={until} label={needed === "TIME" ? "review.after" : "review.until"} />}
        {isTopUp ? <MemoToo order={order} /> : null}
        {reason === "WRONG_ASSET" && order.deposits.length === 0 ? ` ${t("review.stillWaits", { ticker })}` : null}
      </Note>
    </div>
  );
}

/** What has left us waits for no deposit any more. */
function payoutContext(order: Order): "done" | "sent" | undefined {
  if (isOrderOver(order)) return "done";
  return order.withdrawals.some(({ txId }) => txId !== null) ? "sent" : undefined;
}

type UntilProps = { readonly iso: string; readonly label: "review.after" | "review.until" };

function Until({ iso, label }: UntilProps) {
  const { t } = useTranslation("order");
  const [before, after] = t(label, { time: "\n" }).split("\n");
  return (
    <>
      {` ${before}`}
      <Moment iso={iso} />
      {after}
    </>
  );
}
