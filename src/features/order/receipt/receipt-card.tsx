import { memoContext } from "../../../shared/format/memo.ts";
import { useTranslation } from "react-i18next";
import { addDecimals } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { formatDuration } from "../../../shared/format/format-time.ts";
import { AroundForeignText, classNames, Icon, Skeleton } from "../../../shared/ui/index.ts";
import { coinText, rateText } from "../model/amount-text.ts";
import { explorerLink, Moment, Row, ShortHash } from "../page/details.tsx";
import type { RefundInfo } from "../model/choice.ts";
import { feesOf, type Receipt } from "../model/receipt.ts";
import { useRefundInfo } from "../api.ts";
import { ReceiptActions } from "./receipt-actions.tsx";
import "./receipt.css";

export type ReceiptProps = { readonly order: Order; readonly receipt: Receipt };

/** How an order ended, and what can be done with it. */
export const ReceiptPart = (props: ReceiptProps) => (
  <>
    <ReceiptCard {...props} />
    <ReceiptActions order={props.order} />
  </>
);

/** What was delivered, in large, and every figure of it to check: what was promised beside what came. */
function ReceiptCard({ order, receipt }: ReceiptProps) {
  const { t } = useTranslation("order");
  const { instrumentFrom, instrumentTo } = order.pair;
  const isPayout = receipt.kind === "payout";
  const sum = coinText(receipt.delivered, isPayout ? instrumentTo : instrumentFrom);
  return (
    <section className="w-order-receipt w-order-card">
      <div className="w-order-receipt__head">
        <span className={`w-order-receipt__mark w-order-receipt__mark--${receipt.kind}`}>
          <Icon name={isPayout ? "check" : "return"} />
        </span>
        <h2 className="w-order-receipt__label">{t(isPayout ? "receipt.sentToYou" : "receipt.returned")}</h2>
        <p className={classNames("w-order-receipt__sum w-number", sum.length > 18 && "w-order-receipt__sum--long")}>
          {sum}
        </p>
        {isPayout ? null : <RefundCaption order={order} receipt={receipt} />}
      </div>
      <dl className="w-order-rows w-number">
        <Row label={t("receipt.sent")}>{coinText(receipt.sent, instrumentFrom)}</Row>
        {isPayout ? <PayoutRows order={order} receipt={receipt} /> : <RefundRows order={order} receipt={receipt} />}
        <PlaceRows order={order} receipt={receipt} />
      </dl>
    </section>
  );
}

function PayoutRows({ order, receipt }: ReceiptProps) {
  const { t } = useTranslation("order");
  const { instrumentFrom, instrumentTo } = order.pair;
  const { platformFee, networkFee, percent } = feesOf(order);
  const quoted = receipt.isAsQuoted || order.feesTaken !== null ? undefined : t("receipt.asQuoted");
  return (
    <>
      <Row label={t(quotedLabel(order))}>{coinText(receipt.quoted, instrumentTo)}</Row>
      {receipt.accepted === null ? null : (
        <Row label={t("receipt.accepted")}>{coinText(receipt.accepted, instrumentTo)}</Row>
      )}
      <Row label={t("receipt.delivered")}>{coinText(receipt.delivered, instrumentTo)}</Row>
      {receipt.rate === null ? null : (
        <Row label={t("receipt.rate")} detail={t(rateDetail(order, receipt))}>
          {rateText(receipt.rate, instrumentFrom, instrumentTo)}
        </Row>
      )}
      <Row label={percent === null ? t("receipt.fee") : t("receipt.feePercent", { percent })} detail={quoted}>
        {coinText(platformFee, instrumentTo)}
      </Row>
      <Row label={t("receipt.networkFee")} detail={quoted}>
        {coinText(networkFee, instrumentTo)}
      </Row>
    </>
  );
}

const quotedLabel = ({ rateMode }: Order) => (rateMode === "FIXED" ? "receipt.quotedExactly" : "receipt.quotedAbout");

function rateDetail({ rateMode }: Order, { accepted }: Receipt) {
  if (accepted !== null) return "receipt.acceptedRate";
  return rateMode === "FIXED" ? "receipt.fixed" : "receipt.floating";
}

/** The sum that was sent back and what the network took of it, told apart from deposits that came later. */
function RefundCaption({ order, receipt }: ReceiptProps) {
  const { t } = useTranslation("order");
  const { info } = useRefundInfo(order, true);
  const { instrumentFrom } = order.pair;
  if (typeof info !== "object") return null;
  return (
    <p className="w-order-receipt__caption w-number">
      {t("receipt.returnedDetail", {
        sent: coinText(addDecimals(receipt.delivered, info.networkFee), instrumentFrom),
        fee: coinText(info.networkFee, instrumentFrom),
      })}
    </p>
  );
}

/** What the exchange would have paid, and of the refund that came instead: what was promised beside what was delivered. */
function RefundRows({ order, receipt }: ReceiptProps) {
  const { t } = useTranslation("order");
  const { info } = useRefundInfo(order, true);
  const { instrumentFrom, instrumentTo } = order.pair;
  const amountOf = (amount: (figures: RefundInfo) => string) =>
    info === "loading" || info === "failed" ? (
      <Skeleton width={96} height={20} />
    ) : (
      coinText(amount(info), instrumentFrom)
    );
  return (
    <>
      <Row label={t(quotedLabel(order))} detail={t("receipt.notExchanged")}>
        {coinText(receipt.quoted, instrumentTo)}
      </Row>
      {info === "failed" ? null : (
        <>
          <Row label={t("receipt.networkFee")}>{amountOf(({ networkFee }) => networkFee)}</Row>
          <Row label={t("receipt.refundPromised")}>
            {amountOf(({ refundAmountWithoutNetworkFee }) => refundAmountWithoutNetworkFee)}
          </Row>
        </>
      )}
      <Row label={t("receipt.refundDelivered")}>{coinText(receipt.delivered, instrumentFrom)}</Row>
      <Row label={t("receipt.fee")} detail={t("receipt.noRefundFee")}>
        {coinText("0", instrumentFrom)}
      </Row>
    </>
  );
}

function PlaceRows({ order, receipt }: ReceiptProps) {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const { instrumentFrom, instrumentTo } = order.pair;
  const isPayout = receipt.kind === "payout";
  const address = isPayout ? order.destinationAddress : order.refundAddress;
  const memo = isPayout ? order.destinationAddressMemo : order.refundAddressMemo;
  const paidOut = isPayout ? instrumentTo : instrumentFrom;
  const after = receipt.secondsAfterDeposit;
  return (
    <>
      {address === null ? null : (
        <Row
          label={t("receipt.to")}
          detail={
            memo === null ? undefined : (
              <AroundForeignText
                sentence={t("receipt.memo", { memo: "\n", context: memoContext(paidOut.networkTitle) })}
                text={memo}
              />
            )
          }
        >
          <ShortHash value={address} link={explorerLink(paidOut.explorerAddress, address)} />
        </Row>
      )}
      <Hashes label={t("receipt.deposit")} txIds={receipt.depositTxIds} template={instrumentFrom.explorerTx} />
      <Hashes label={t("receipt.transaction")} txIds={receipt.txIds} template={paidOut.explorerTx} />
      {receipt.reason === null ? null : <Row label={t("receipt.reason")}>{t(`receipt.${receipt.reason}`)}</Row>}
      {receipt.finishedAt === null ? null : (
        <Row
          label={t(isPayout ? "receipt.completed" : "receipt.refunded")}
          detail={after === null ? undefined : t("receipt.after", { duration: formatDuration(common, after) })}
        >
          <Moment iso={receipt.finishedAt} precision="seconds" />
        </Row>
      )}
      <Row label={t("receipt.order")}>
        <code>{order.reference}</code>
      </Row>
    </>
  );
}

type HashesProps = { readonly label: string; readonly txIds: readonly string[]; readonly template: string | null };

const Hashes = ({ label, txIds, template }: HashesProps) =>
  txIds.map((txId) => (
    <Row key={txId} label={label}>
      <ShortHash value={txId} link={explorerLink(template, txId)} />
    </Row>
  ));
