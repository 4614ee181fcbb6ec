import type { Order } from "#contract/order.ts";
import { type RateWarningCause, rateWarning, type StepIndex, stepIndex } from "#contract/order-progress.ts";
import { type Confirmations, confirmationsOf, isOtherAmount } from "./deposits.ts";
import type { Block, MainAction } from "./blocks.ts";
import { countdown, type Countdown } from "./countdown.ts";
import { type CustomerActions, customerActions } from "../choice/customer-actions.ts";
import { type OfferTime, offerTime } from "../choice/offer.ts";
import { type Receipt, receiptOf } from "../receipt.ts";
import { type Screen, screenOf, stepsOf, type StepView } from "./screen.ts";
import { timelineOf, type TimelineRow } from "./timeline.ts";
import { cardAction, cardBlocks, cardSteps, cardTimeline, isCardOrder, isNextToSend } from "./card-view.ts";

export type OrderView = {
  screen: Screen;
  step: StepIndex;
  steps: readonly StepView[];
  /** In the order in which a phone shows them. */
  blocks: readonly Block[];
  timeline: TimelineRow[];
  mainAction: MainAction;
  actions: CustomerActions;
  countdown: Countdown | null;
  /** While a choice is open and there is an offer. */
  offer: OfferTime | null;
  confirmations: Confirmations;
  warning: RateWarningCause | null;
  receipt: Receipt | null;
};

/** All that the order page shows, from the order and the server's clock (milliseconds); and whether the card of a sale was named. */
export function orderView(order: Order, now: number, isCardNamed = false): OrderView {
  const screen = screenOf(order, now);
  return {
    screen,
    step: stepIndex(order.orderEvents),
    ...(isCardOrder(order)
      ? {
          steps: cardSteps(order, screen),
          blocks: cardBlocks(order, screen),
          timeline: cardTimeline(order, screen),
          mainAction: isNextToSend(order, screen, isCardNamed) ? walletAction(order) : cardAction(order, screen),
        }
      : {
          steps: stepsOf(screen),
          blocks: blocksOf(order, screen),
          timeline: timelineOf(order, screen),
          mainAction: mainActionOf(order, screen),
        }),
    actions: customerActions(order, screen),
    countdown: screen === "send" && order.expiresAt !== null ? countdown(order.createdAt, order.expiresAt, now) : null,
    offer: screen === "choice" ? offerTime(order, now) : null,
    confirmations: confirmationsOf(order),
    warning: rateWarning(order.orderEvents),
    receipt:
      screen === "completed"
        ? receiptOf(order, "payout")
        : screen === "refunded" && order.card === null
          ? receiptOf(order, "refund")
          : null,
  };
}

function mainActionOf(order: Order, screen: Screen): MainAction {
  const action = MAIN_ACTION[screen];
  if (action === "open_wallet") return walletAction(order);
  // Held, it waits for somebody else: its note is what counts, and its link stands above.
  return action === "share" && order.review !== null ? null : action;
}

const walletAction = ({ depositUri }: Order): MainAction => (opensInWallet(depositUri) ? "open_wallet" : null);

const MAIN_ACTION: Record<Screen, MainAction> = {
  preparing: null,
  send: "open_wallet",
  rate_ended: "recreate",
  expired: "recreate",
  processing: "share",
  attention: null,
  choice: "choose",
  refund: "share",
  completed: "new_exchange",
  refunded: "new_exchange",
};

function blocksOf(order: Order, screen: Screen): Block[] {
  const tooSmall: Block[] = order.attention === null ? [] : ["too_small"];
  const memo: Block[] = order.depositAddressMemo === null ? [] : ["memo"];
  switch (screen) {
    case "preparing":
      return ["reference", "steps", "preparing", "summary"];
    case "send": {
      const rate: Block = order.rateMode === "FIXED" ? "rate-lock" : "floating";
      const pay: Block[] = ["amount", ...memo, "address", "qr"];
      return ["reference", "steps", ...tooSmall, rate, ...pay, "get", "timeline", "summary", "updates"];
    }
    case "expired":
      return ["reference", "steps", "expired", "timeline", "summary"];
    case "rate_ended":
      return ["reference", "steps", ...tooSmall, "rate_ended", "amount", ...memo, "address", "timeline", "summary"];
    case "processing":
      return [
        "reference",
        "steps",
        "ring",
        ...(isOtherAmount(order) ? (["other_amount"] as const) : []),
        "timeline",
        "summary",
        "updates",
      ];
    case "attention":
      return ["reference", "steps", "attention", "timeline", "summary", "updates"];
    case "choice":
      return ["reference", "steps", "choice", "timeline", "summary", "updates"];
    case "refund":
      return ["reference", "steps", "refund", "timeline", "summary", "updates"];
    case "completed":
    case "refunded":
      return ["reference", "steps", "receipt", "timeline"];
  }
}

/**
 * Schemes that wallets for phones register: BIP-21 of Bitcoin and Litecoin, Monero's, EIP-681 of Ethereum and its like. A link of
 * another scheme, or a bare address, mostly opens nothing.
 */
const WALLET_SCHEMES: readonly string[] = ["bitcoin:", "litecoin:", "monero:", "ethereum:"];

/**
 * Whether a wallet is likely to open a payment URI on a phone.
 *
 * @internal Exported for its tests.
 */
export const opensInWallet = (depositUri: string): boolean =>
  WALLET_SCHEMES.some((scheme) => depositUri.startsWith(scheme));
