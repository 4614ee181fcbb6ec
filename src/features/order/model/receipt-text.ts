import type { TFunction } from "i18next";
import type { Instrument } from "#contract/instrument.ts";
import { addDecimals, multiplyDecimals } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { formatFiat, formatUsd } from "../../../shared/format/format.ts";
import { formatDateTime, formatDuration } from "../../../shared/format/format-time.ts";
import { placeName } from "../../../shared/format/place-name.ts";
import { memoContext } from "#contract/address.ts";
import type { Locale } from "#contract/locale.ts";
import { coinText, rateText } from "./amount-text.ts";
import type { RefundInfo } from "./choice/choice.ts";
import { explorerLink } from "../../../address/explorer-link.ts";
import { cardFees } from "./card-fees.ts";
import { feesOf, type Receipt } from "./receipt.ts";
import { isCardOrder } from "./view/card-view.ts";

/** One figure of a receipt. `value` is null while it loads; a `code` is shown whole and copied as it is. */
export type ReceiptLine = { label: string; detail?: string } & (
  | { kind: "text"; value: string | null }
  | { kind: "time"; value: string; iso: string }
  | { kind: "code" | "memo"; value: string; link: string | null }
);

/** All that a receipt says, for the screen and for the PDF alike. */
export type ReceiptText = { label: string; sum: string; caption: string | null; lines: ReceiptLine[] };

export type ReceiptInput = {
  order: Order;
  receipt: Receipt;
  /** What a refund cost; it matters to a refund's receipt alone. */
  refund: RefundInfo | "loading" | "failed";
  t: TFunction<"order">;
  common: TFunction<"common">;
  locale: Locale;
  timeZone: string;
};

export function receiptText(input: ReceiptInput): ReceiptText {
  const { order, receipt, t } = input;
  const { instrumentFrom, instrumentTo } = order.pair;
  const isPayout = receipt.kind === "payout";
  return {
    label: t(isPayout ? "receipt.sentToYou" : "receipt.returned"),
    sum: coinText(receipt.delivered, isPayout ? instrumentTo : instrumentFrom),
    caption: isPayout ? usdText(input, receipt.delivered, "to") : refundCaption(input),
    lines: [
      text(
        t(order.card?.direction === "buy" ? "receipt.paid" : "receipt.sent"),
        coinText(receipt.sent, instrumentFrom),
        sentDetail(input),
      ),
      ...(isPayout ? payoutLines(input) : refundLines(input)),
      ...placeLines(input),
      ...timeLines(input),
      text(t("receipt.order"), order.reference),
    ],
  };
}

const text = (label: string, value: string | null, detail?: string): ReceiptLine => ({
  kind: "text",
  label,
  value,
  ...(detail === undefined ? {} : { detail }),
});

const cardTermsOf = (order: Order) => (isCardOrder(order) ? cardFees(order) : null);

/** What an amount was worth in dollars when the order ended, or else when it was created; null where no price is known. */
function usdText({ order, receipt, t }: ReceiptInput, amount: string, side: "from" | "to"): string | null {
  // A card's provider has said what the coins are worth: the market's figure beside it would be another one.
  const terms = cardTermsOf(order);
  if (terms !== null) {
    if (order.card?.direction === "sell" || !receipt.isAsQuoted) return null;
    return t("receipt.usd", { amount: coinText(terms.marketValue, terms.fiat) });
  }
  const usd = usdValue(order, amount, side);
  if (usd === null) return null;
  return t(order.finalPricesUsd === null ? "receipt.usd" : "receipt.usdAtEnd", { amount: usd });
}

function usdValue({ pricesUsd, finalPricesUsd }: Order, amount: string, side: "from" | "to"): string | null {
  const prices = finalPricesUsd ?? pricesUsd;
  return prices === null ? null : formatUsd(multiplyDecimals(amount, prices[side]));
}

/** What the quote was worth when it was given, beside what it is worth at the end. */
function quotedDetail({ order, receipt, t }: ReceiptInput): string | undefined {
  const { pricesUsd, finalPricesUsd } = order;
  if (cardTermsOf(order) !== null || pricesUsd === null || finalPricesUsd === null) return undefined;
  return t("receipt.usd", { amount: formatUsd(multiplyDecimals(receipt.quoted, pricesUsd.to)) });
}

/** Short, to stand beside its label on a phone: the caption says of which time the prices are. */
function sentDetail({ order, receipt, common }: ReceiptInput): string {
  const network = placeName(order.pair.instrumentFrom, common);
  const usd = cardTermsOf(order) === null ? usdValue(order, receipt.sent, "from") : null;
  return usd === null ? network : `${network}, ${usd}`;
}

/** Beside what a card provider took, what it was quoted to take: all of it adds up to the sum that was quoted. */
function cardFeeLines({ order, receipt, t }: ReceiptInput): ReceiptLine[] | null {
  const terms = isCardOrder(order) ? cardFees(order) : null;
  if (terms === null || !isCardOrder(order)) return null;
  const { provider, direction } = order.card;
  const { fiat, fees, marketValue } = terms;
  const detail = receipt.isAsQuoted && receipt.sent === order.claimedDepositAmount ? undefined : t("receipt.asQuoted");
  const worth = text(t("card.worth"), coinText(marketValue, fiat), detail);
  const taken = fees.map(({ kind, amount }) =>
    text(t(`card.fee.${kind}`, { provider }), `${formatFiat(`-${amount}`)}\u00a0${fiat.currencyTitle}`, detail),
  );
  return direction === "buy" ? [...taken, worth] : [worth, ...taken];
}

function payoutLines(input: ReceiptInput): ReceiptLine[] {
  const { order, receipt, t, common } = input;
  const { instrumentFrom, instrumentTo } = order.pair;
  const { platformFee, networkFee, percent } = feesOf(order);
  const quoted = receipt.isAsQuoted || order.feesTaken !== null ? undefined : t("receipt.asQuoted");
  const rate =
    receipt.rate === null
      ? []
      : [
          text(
            t("receipt.rate"),
            rateText(receipt.rate, instrumentFrom, instrumentTo),
            t(rateDetail(order, receipt.accepted)),
          ),
        ];
  return [
    text(t(quotedLabel(order)), coinText(receipt.quoted, instrumentTo), quotedDetail(input)),
    ...(receipt.accepted === null ? [] : [text(t("receipt.accepted"), coinText(receipt.accepted, instrumentTo))]),
    text(t("receipt.delivered"), coinText(receipt.delivered, instrumentTo), placeName(instrumentTo, common)),
    ...rate,
    ...(cardFeeLines(input) ?? [
      text(
        percent === null ? t("receipt.fee") : t("receipt.feePercent", { percent }),
        coinText(platformFee, instrumentTo),
        quoted,
      ),
      text(t("receipt.networkFee"), coinText(networkFee, instrumentTo), quoted),
    ]),
  ];
}

const quotedLabel = ({ rateMode }: Order) => (rateMode === "FIXED" ? "receipt.quotedExactly" : "receipt.quotedAbout");

function rateDetail({ rateMode }: Order, accepted: string | null) {
  if (accepted !== null) return "receipt.acceptedRate";
  return rateMode === "FIXED" ? "receipt.fixed" : "receipt.floating";
}

/** The sum that was sent back and what the network took of it, without deposits that came later. */
function refundCaption({ order, receipt, refund, t }: ReceiptInput): string | null {
  if (typeof refund === "string") return null;
  return t("receipt.returnedDetail", {
    sent: coinText(addDecimals(receipt.delivered, refund.networkFee), order.pair.instrumentFrom),
    fee: coinText(refund.networkFee, order.pair.instrumentFrom),
  });
}

/** What the exchange would have paid, and of the refund that came instead: what was promised beside what was delivered. */
function refundLines(input: ReceiptInput): ReceiptLine[] {
  const { order, receipt, refund, t } = input;
  const { instrumentFrom, instrumentTo } = order.pair;
  const figure = (label: string, amount: (known: RefundInfo) => string) =>
    text(label, typeof refund === "string" ? null : coinText(amount(refund), instrumentFrom));
  const usd = usdText(input, receipt.delivered, "from") ?? undefined;
  return [
    text(t(quotedLabel(order)), coinText(receipt.quoted, instrumentTo), t("receipt.notExchanged")),
    ...(refund === "failed"
      ? []
      : [
          figure(t("receipt.networkFee"), ({ networkFee }) => networkFee),
          figure(t("receipt.refundPromised"), (known) => known.refundAmountWithoutNetworkFee),
        ]),
    text(t("receipt.refundDelivered"), coinText(receipt.delivered, instrumentFrom), usd),
    text(t("receipt.fee"), coinText("0", instrumentFrom), t("receipt.noRefundFee")),
  ];
}

/** Where the coins went and came from, in whole. */
function placeLines({ order, receipt, t }: ReceiptInput): ReceiptLine[] {
  const { instrumentFrom, instrumentTo } = order.pair;
  const isPayout = receipt.kind === "payout";
  const paidOut = isPayout ? instrumentTo : instrumentFrom;
  const network = paidOut.networkFriendlyTitle;
  const to = isPayout
    ? { label: t("receipt.to", { network }), address: order.destinationAddress, memo: order.destinationAddressMemo }
    : { label: t("receipt.returnedTo", { network }), address: order.refundAddress, memo: order.refundAddressMemo };
  const deposit = t("summary.deposit", { network: instrumentFrom.networkFriendlyTitle });
  // What moves by card has no hash: its number there is the provider's.
  const hashes = (label: string, txIds: readonly string[], { explorerTx, instrumentType }: Instrument) =>
    txIds.map((txId) =>
      instrumentType === "fiat"
        ? text(t("card.number", { provider: order.card?.provider }), txId)
        : code(label, txId, explorerTx),
    );
  return [
    ...(to.address === null || order.card?.direction === "sell"
      ? []
      : [code(to.label, to.address, paidOut.explorerAddress)]),
    ...memoLine(to.memo, paidOut, t),
    ...hashes(t("receipt.transaction"), receipt.txIds, paidOut),
    ...(order.depositAddress === null ? [] : [code(deposit, order.depositAddress, instrumentFrom.explorerAddress)]),
    ...memoLine(order.depositAddressMemo, instrumentFrom, t),
    ...hashes(t("receipt.deposit"), receipt.depositTxIds, instrumentFrom),
  ];
}

const code = (label: string, value: string, template: string | null): ReceiptLine => ({
  kind: "code",
  label,
  value,
  link: explorerLink(template, value),
});

const memoLine = (memo: string | null, { networkTitle }: Instrument, t: TFunction<"order">): ReceiptLine[] =>
  memo === null
    ? []
    : [{ kind: "memo", label: t("summary.memo", { context: memoContext(networkTitle) }), value: memo, link: null }];

/** A purchase is paid by card, and nothing is deposited. */
const afterLabel = ({ card }: Order) => (card?.direction === "buy" ? "receipt.afterPayment" : "receipt.after");

function timeLines({ order, receipt, t, common, locale, timeZone }: ReceiptInput): ReceiptLine[] {
  const moment = (label: string, iso: string, detail?: string): ReceiptLine => ({
    kind: "time",
    label,
    value: formatDateTime(iso, locale, { timeZone, precision: "seconds", withZone: true }),
    iso,
    ...(detail === undefined ? {} : { detail }),
  });
  const after = receipt.secondsAfterDeposit;
  const duration = after === null ? undefined : t(afterLabel(order), { duration: formatDuration(common, after) });
  return [
    ...(receipt.reason === null ? [] : [text(t("receipt.reason"), t(`receipt.${receipt.reason}`))]),
    moment(t("summary.created"), order.createdAt),
    ...(receipt.finishedAt === null
      ? []
      : [
          moment(t(receipt.kind === "payout" ? "receipt.completed" : "receipt.refunded"), receipt.finishedAt, duration),
        ]),
  ];
}
