import { formatAmount } from "#contract/money.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Order } from "#contract/order.ts";
import { displayStatus } from "#contract/order-progress.ts";
import { PRICE_DECIMALS } from "../../catalogue/index.ts";
import { refundRecipient } from "../decisions/decide.ts";
import { isTooSmall, offerEnd } from "../decisions/decide-price.ts";
import { viewCard, type ProviderView } from "./card-view.ts";
import { attentionOf, reviewOf } from "./order-attention.ts";
import type { OrderPayout, OrderState, OrderTerms } from "../decisions/order.ts";
import type { PayoutRow, OrderRows } from "./order-rows.ts";
import { confirmationsAt } from "../../chains/follower/index.ts";

export type OrderView = Omit<OrderRows, "payout"> & {
  payout: (PayoutRow & { decimals: number }) | null;
  instrumentFrom: Instrument;
  instrumentTo: Instrument;
  depositUri: string;
  estimatedSeconds: number | null;
  /** Of a card order. */
  cardProvider?: ProviderView | undefined;
  /** By the business clock. */
  now: Date;
};

const WAITS_OR_WAITED: ReadonlySet<OrderState["kind"]> = new Set(["awaiting_deposit", "expired"]);

/** An order as the API returns it (contract §3). */
export function viewOrder(rows: OrderView): Order {
  const { state } = rows;
  const { terms } = state;
  const agreed = agreedSince(state);
  const refundTo = refundRecipient(state);
  const inFrom = (amount: bigint) => formatAmount(amount, terms.from.decimals);
  const inTo = (amount: bigint) => formatAmount(amount, terms.to.decimals);
  return {
    orderId: rows.id,
    reference: rows.reference,
    status: state.kind === "expired" ? "expired" : displayStatus(rows.events),
    rateMode: terms.rateMode,
    pair: { instrumentFrom: rows.instrumentFrom, instrumentTo: rows.instrumentTo },
    destinationAddress: terms.destination.address,
    destinationAddressMemo: terms.destination.memo,
    // What was charged to a card goes back to it.
    refundAddress: refundTo?.address || null,
    refundAddressMemo: refundTo?.memo ?? null,
    userEmail: rows.userEmail,
    isEmailConfirmed: rows.isEmailConfirmed,
    claimedDepositAmount: inFrom(terms.claimedDepositAmount),
    claimedPublicRate: {
      price: terms.quoted.price,
      finalNetworkFeeAmount: inTo(terms.quoted.networkFee),
      platformFee_Absolute: inTo(terms.quoted.platformFee),
      claimedAmountToReceive: inTo(terms.quoted.amountTo),
    },
    amountToGet: inTo(agreed?.amount ?? terms.quoted.amountTo),
    feesTaken: agreed && { platformFee: inTo(agreed.platformFee), networkFee: inTo(agreed.networkFee) },
    pricesUsd: viewPrices(terms.quoted.market),
    finalPricesUsd: viewPrices(state.kind === "completed" || state.kind === "refunded" ? state.market : undefined),
    createdAt: terms.createdAt.toISOString(),
    expiresAt: terms.fixed?.expiresAt.toISOString() ?? null,
    unpaidUntil: (WAITS_OR_WAITED.has(state.kind) ? terms.unpaidUntil : rows.unpaidUntil)?.toISOString() ?? null,
    minConfirmationsToWithdraw: terms.requiredConfirmations,
    depositAddress: terms.deposit.address === "" ? null : terms.deposit.address,
    depositAddressMemo: terms.deposit.memo,
    depositUri: rows.depositUri,
    deposits: rows.deposits
      .filter((deposit) => (deposit.height !== null || deposit.inMempool) && deposit.slug === terms.from.slug)
      .map((deposit) => ({
        amount: inFrom(deposit.amount),
        confirmations: confirmationsAt(rows.depositTip, deposit.height),
        requiredConfirmations: terms.requiredConfirmations,
        txId: deposit.txId,
        detectedAt: deposit.detectedAt.toISOString(),
        isCounted: !isTooSmall(terms, deposit.amount),
      })),
    withdrawals: rows.payout === null ? [] : [viewPayout(rows.payout)],
    orderEvents: rows.events.map((event) => ({ kind: event.kind, at: event.at.toISOString() })),
    offer: viewOffer(state),
    attention: attentionOf(rows),
    review: reviewOf(rows),
    redirectUrl: null,
    card: null,
    estimatedSeconds: rows.estimatedSeconds,
    ...(terms.card && viewCard(rows, terms.card, rows.cardProvider ?? { name: terms.card.provider, supportUrl: "" })),
  };
}

/** The offer that a customer may accept; null where no choice is open, or the floating rate can't take the sum. */
export function viewOffer(state: OrderState): Order["offer"] {
  if (state.kind !== "awaiting_choice" || state.offer === null) return null;
  const { price, amount, at } = state.offer;
  return {
    price,
    amountToGet: formatAmount(amount, state.terms.to.decimals),
    at: at.toISOString(),
    validUntil: offerEnd(state.offer).toISOString(),
  };
}

function viewPrices(market: OrderTerms["quoted"]["market"] | undefined): Order["pricesUsd"] {
  if (market === undefined) return null;
  const { fromPriceUsd, toPriceUsd } = market;
  return { from: formatAmount(fromPriceUsd, PRICE_DECIMALS), to: formatAmount(toPriceUsd, PRICE_DECIMALS) };
}

const viewPayout = (payout: NonNullable<OrderView["payout"]>): Order["withdrawals"][number] => ({
  amount: formatAmount(payout.amount, payout.decimals),
  txId: payout.txId,
  confirmations: confirmationsAt(payout.tip, payout.minedHeight),
  kind: payout.purpose,
});

/** What is paid or was accepted in place of the quote. */
function agreedSince(state: OrderState): OrderPayout | null {
  if (state.kind === "confirming") return state.accepted;
  return state.kind === "paying" || state.kind === "completed" ? state.payout : null;
}
