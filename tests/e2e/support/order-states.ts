import type { Page } from "@playwright/test";
import type { Order } from "#contract/order.ts";
import { Refusal } from "../../support/http/api.ts";
import { eventually } from "../../support/eventually.ts";
import {
  applicationFor,
  askForRefund,
  orderAfter,
  randomAddress,
  rateOf,
  readOrder,
} from "../../support/scenarios/http-swap.ts";
import { makeHeldOrders, type Place, type Reason } from "./held-orders.ts";
import { newOrder, orderBelowMinimum, orderWithEndedRate } from "./orders.ts";
import { choiceOf } from "./screens.ts";
import type { Texts } from "./texts.ts";

export type OrderState = {
  readonly name: string;
  readonly order: Order;
  /** A text that only this state has. */
  readonly said: (t: Texts["order"]) => string;
  /** What its customer does, where the state is more than the page. */
  readonly act?: (page: Page, texts: Texts) => Promise<void>;
  /** Why the order is held, where it is. */
  readonly reason?: Reason;
};

const DAY_S = 86_400;
const HELD_RATE_S = 1_200;
const OFFER_S = 600;

/** Moves the clock past so many seconds, and waits for the prices of the new time. */
async function advance({ api }: Place, seconds: number): Promise<void> {
  await api.call("sandboxClock", { body: { advanceSeconds: seconds + 1 } });
  await eventually("there are prices", async () => {
    try {
      return await rateOf(api);
    } catch (error) {
      if (error instanceof Refusal && error.httpStatus === 503) return null;
      throw error;
    }
  });
}
const pay = ({ api }: Place, { orderId }: Order, amount: string) =>
  api.call("sandboxPay", { body: { orderId, amount } });

const orderAt = ({ api }: Place, order: Order, what: string, is: (now: Order) => boolean): Promise<Order> =>
  eventually(`${what} of ${order.orderId}`, async () => {
    const now = await readOrder(api, order);
    return is(now) ? now : null;
  });

const isConfirmed = ({ deposits: [deposit] }: Order): boolean =>
  deposit !== undefined && deposit.confirmations >= deposit.requiredConfirmations;

const fixedOrder = async ({ api }: Place): Promise<Order> =>
  api.call("createOrder", await applicationFor(api, { rateMode: "FIXED" }));

/** An order in each state that its page has; the blocks of its network stand still from then on, and so do the states. */
export async function makeOrderStates(place: Place): Promise<OrderState[]> {
  const late = await lateOrders(place);
  const [done, held] = await Promise.all([doneOrders(place), makeHeldOrders(place)]);
  return [...late, ...done, ...heldStates(held), ...(await movingOrders(place))];
}

/** Those whose time is over; the clock is moved before there is any other order. */
async function lateOrders(place: Place): Promise<OrderState[]> {
  const expired = await newOrder(place.api);
  await advance(place, DAY_S);
  const ended = await fixedOrder(place);
  await advance(place, HELD_RATE_S);
  const offered = await orderWithEndedRate(place.api);
  await advance(place, OFFER_S);
  return [
    { name: "expired", order: expired, said: (t) => t("expired.title") },
    { name: "unpaid, its rate ended", order: ended, said: (t) => t("rate_ended.title") },
    { name: "the offer of a new rate, ended", order: offered, said: (t) => t("choice.renew") },
  ];
}

async function doneOrders(place: Place): Promise<OrderState[]> {
  const [floating, fixed, choice, paid, accepted, refunded, below, above, dust, email] = await Promise.all([
    newOrder(place.api),
    fixedOrder(place),
    orderWithEndedRate(place.api),
    paidOrder(place),
    acceptedOrder(place),
    refundedOrder(place),
    orderBelowMinimum(place.api),
    judgedOrder(place, "90"),
    judgedOrder(place, "0.0001"),
    orderWithEmail(place),
  ]);
  const openRefund = async (page: Page, texts: Texts) => {
    await choiceOf(page, texts).getRefund.click();
    await choiceOf(page, texts).doRefund.click();
    await page.locator("#refund-address[aria-invalid=true]").waitFor();
  };
  return [
    { name: "to be paid", order: floating, said: (t) => t("sandbox.pay") },
    { name: "to be paid at a kept rate", order: fixed, said: (t) => t("sandbox.pay") },
    { name: "the choice of rates", order: choice, said: (t) => t("choice.title") },
    {
      name: "the choice of rates, the refund chosen",
      order: choice,
      said: (t) => t("choice.title"),
      act: (page, texts) => choiceOf(page, texts).refund.check(),
    },
    { name: "the receipt", order: paid, said: (t) => t("receipt.sentToYou") },
    { name: "the receipt of an accepted rate", order: accepted, said: (t) => t("receipt.sentToYou") },
    { name: "the receipt of a refund", order: refunded, said: (t) => t("receipt.returned") },
    { name: "under the minimum", order: below, said: (t) => t("attention.topUp") },
    { name: "the refund dialog and its error", order: below, said: (t) => t("attention.topUp"), act: openRefund },
    { name: "over the maximum", order: above, said: (t) => t("attention.largest") },
    {
      name: "too small to count",
      order: dust,
      said: (t) => t("attention.tooSmall.title", { received: "0.0001\u00A0ETH" }),
    },
    { name: "an email to confirm", order: email, said: (t) => t("updates.confirm") },
  ];
}

const heldStates = (held: Readonly<Record<Reason, Order>>): OrderState[] =>
  Object.entries(held).map(([name, order]) => {
    const reason = name as Reason;
    return { name: `held: ${reason}`, order, reason, said: (t) => t(`review.${reason}.title`) };
  });

/** Those that a block would move on. */
async function movingOrders(place: Place): Promise<OrderState[]> {
  const { api, chain } = place;
  const [unconfirmed, confirming, refunding] = await Promise.all([
    applicationFor(api, { from: "doge", amount: "2000" }).then((application) => api.call("createOrder", application)),
    newOrder(api),
    orderBelowMinimum(api),
  ]);
  await orderAt(place, refunding, "the confirmed deposit", isConfirmed);
  await api.call("sandboxNetwork", { params: { networkTitle: "ETH" }, body: { paused: true } });
  await askForRefund(api, refunding, randomAddress());
  await pay(place, confirming, "0.5");
  await chain.mine(1);
  await orderAt(place, confirming, "a confirmation", ({ deposits }) => (deposits[0]?.confirmations ?? 0) > 0);
  await orderAt(place, refunding, "the refund", ({ withdrawals }) => withdrawals.some(({ txId }) => txId !== null));
  await api.call("sandboxNetwork", { params: { networkTitle: "DOGE" }, body: { paused: true } });
  await pay(place, unconfirmed, "2000");
  await orderAt(place, unconfirmed, "the deposit", ({ deposits }) => deposits.length > 0);
  return [
    { name: "the deposit is in no block", order: unconfirmed, said: (t) => t("ring.unconfirmed") },
    {
      name: "the deposit is being confirmed",
      order: confirming,
      said: (t) => t("ring.waiting", { network: "Ethereum" }),
    },
    { name: "the refund is on its way", order: refunding, said: (t) => t("refund.sent") },
  ];
}

async function paidOrder(place: Place): Promise<Order> {
  const order = await newOrder(place.api);
  await pay(place, order, "0.5");
  return orderAfter(place.api, order, "WITHDRAWAL_COMPLETED");
}

async function acceptedOrder({ api }: Place): Promise<Order> {
  const ended = await orderWithEndedRate(api);
  const { orderId, destinationAddress } = ended;
  await api.call("acceptRateModeChange", { body: { orderId, destinationAddress } });
  return orderAfter(api, ended, "WITHDRAWAL_COMPLETED");
}

async function refundedOrder({ api }: Place): Promise<Order> {
  const order = await orderBelowMinimum(api);
  await askForRefund(api, order, randomAddress());
  return orderAfter(api, order, "REFUND_COMPLETED");
}

async function judgedOrder(place: Place, amount: string): Promise<Order> {
  const order = await newOrder(place.api);
  await pay(place, order, amount);
  return orderAt(place, order, "a word", ({ attention }) => attention !== null);
}

async function orderWithEmail({ api }: Place): Promise<Order> {
  const order = await newOrder(api);
  await api.call("setEmail", { body: { orderId: order.orderId, userEmail: "someone@mail.example" } });
  return order;
}
