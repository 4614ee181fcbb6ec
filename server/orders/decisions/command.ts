import type { Minor } from "#contract/money.ts";
import type { CardNewsCommand } from "./decide-card.ts";
import type { RefundRequest, UndecidedRefund } from "./decide-choice.ts";
import type { MarketNow } from "./decide-price.ts";
import type { OrderTerms, Recipient, RegisteredDeposit } from "./order.ts";

/** What may happen to an order. Times and prices come with it, since deciding has no clock and no market. */
export type Command =
  | { kind: "create"; terms: OrderTerms; at: Date }
  /**
   * `standing` is the sum of the registered deposits that the chain or its mempool shows; `at` is when this one was detected;
   * `now`, where later, is when it is judged.
   */
  | {
      kind: "see_deposit";
      deposit: RegisteredDeposit;
      standing: Minor<"from">;
      market: MarketNow | null;
      at: Date;
      now?: Date;
    }
  /** Nobody paid the order in its time; `isUnpaidAgain` where all that had paid it was sent back, or is gone since `goneSince`. */
  | { kind: "expire"; isUnpaidAgain?: boolean; goneSince?: Date | null; at: Date }
  /** `lastMinedAt` is when the last of the deposits was first in a block. */
  | { kind: "settle"; received: Minor<"from">; lastMinedAt: Date; market: MarketNow; at: Date }
  /** `delivered` where a partner paid: what arrived. An end without prices is one all the same. */
  | { kind: "complete_payment"; txId: string; delivered?: Minor<"to">; market: MarketNow | null; at: Date }
  /** A partner has returned what it was sent, or was never paid: nothing was sent to the customer. */
  | { kind: "provider_failed"; partner: string; at: Date }
  | { kind: "reroute"; market: MarketNow; at: Date }
  /** An operator refunds what could not be paid out: nothing was sent to the customer. */
  | { kind: "refund_instead"; to: Recipient; networkFee: Minor<"from">; at: Date }
  /** The chain shows that it was paid another amount than was decided after that was forgotten. */
  | { kind: "correct_payment"; purpose: "payout" | "refund"; txId: string; amount: bigint; at: Date }
  | ({ kind: "request_refund" } & RefundRequest)
  /** Whoever got the message about a refund that waits stops it. */
  | { kind: "stop_refund"; at: Date }
  /** A restore may have lost that it was stopped: it waits anew. */
  | { kind: "delay_refund"; refundDelaySeconds: number; at: Date }
  /** An operator lets it go on: to the address that was asked for, or to `to`. */
  | { kind: "release_refund"; to: Recipient | null; at: Date }
  | ({ kind: "refund_undecided" } & UndecidedRefund)
  /** An operator accepts an offer that its customer had accepted before that was forgotten: the chain shows that it was paid. */
  | { kind: "accept_paid_offer"; received: Minor<"from">; paid: Minor<"to">; at: Date }
  | { kind: "accept_rate_mode_change"; received: Minor<"from">; isMined: boolean; market: MarketNow; at: Date }
  | CardNewsCommand
  | AutoRefund;

/** Refunds a deposit once the customer has not chosen for `autoRefundSeconds`. */
export type AutoRefund = {
  kind: "auto_refund";
  received: Minor<"from">;
  lastMinedAt: Date;
  market: MarketNow;
  networkFee: Minor<"from">;
  lastDepositAt: Date;
  autoRefundSeconds: number;
  at: Date;
};
