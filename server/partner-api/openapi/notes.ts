import { CREATE_ORDER_NOTES, ORDER_NOTES } from "./order-notes.ts";
import { INSTRUMENT_NOTES, RATE_NOTES } from "./rate-notes.ts";

/** Of a query's and a path's parameters, by their names. */
export const PARAMETER_NOTES: Readonly<Record<string, string>> = {
  instrumentFromSlug: "What the customer sends: a slug or a CAIP-19 id of `instruments`.",
  instrumentToSlug: "What the customer gets, as the same.",
  claimedDepositAmount: "The amount, of what is sent unless `claimedDepositAmountCurrency` names the other side.",
  claimedDepositAmountCurrency: "The side that the amount counts. The receiving one asks what has to be sent for it.",
  rateMode:
    "`FLOATING` follows the market until the deposit is confirmed; `FIXED` holds, and needs an address for refunds.",
  markupBps: "What you add for yourself, in hundredths of a percent, 0 to 500. Give the creation the same.",
  orderId: "The id of one of the account's orders.",
  webhookId: "The id of one of the account's webhooks.",
  deliveryId: "The id of a delivery in the webhook's log.",
  from: "Orders made at this time or later: a time with any offset (`2026-11-21T12:00:00Z`; a `+` is written `%2B`), or a day of UTC (`2026-11-21`).",
  to: "Orders made before this time, or until the end of this day, which is written in the same ways.",
  state: "Those in this state alone.",
  externalId: "The order with this name of yours.",
  cursor: "`nextCursor` of the part before; without it the newest come.",
  limit: "How many at most, 1 to 100.",
};

/** Of fields that aren't plain from their names, by the object and the path below it. */
export const FIELD_NOTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Instrument: INSTRUMENT_NOTES,
  Failure: {
    status: "The code, such as `ERR_VALIDATION`.",
    message: "For people who read logs, in English; programs read `status` and `data`.",
    data: "What is wrong, by the code: reasons by field, `reasons` of a rate, limits.",
    traceId: "Names the call to our support.",
  },
  PairList: {
    "[].from": "The slug of what is sent.",
    "[].to": "The slugs of what can be got for it.",
  },
  Reason: {
    status: "The code of this reason.",
    message: "The same for people.",
    sourceAmountLimit: "The nearest amount to send that can be had; null where none helps.",
    destinationAmountLimit: "The nearest amount to get.",
    sourceAmountLimitUnits: "`sourceAmountLimit` in its chain's smallest unit.",
    destinationAmountLimitUnits: "`destinationAmountLimit` in its chain's smallest unit.",
  },
  Rate: RATE_NOTES,
  CreateOrder: CREATE_ORDER_NOTES,
  Refund: {
    refundAddress:
      "Where the deposit goes back to; without it, to the address of the creation. Another one may have to wait: see `review` of the order.",
    refundAddressMemo: "Goes with the refund where the network has memos.",
  },
  Order: ORDER_NOTES,
  OrderList: {
    items: "The newest first.",
    nextCursor: "Give it as `cursor` for the part after this one; null at the end.",
  },
  CreateWebhook: {
    url: "An https address on the internet, without redirects; in a sandbox also one of this computer.",
  },
  Webhook: {
    id: "Names it in other calls.",
    url: "Where deliveries are sent to.",
    createdAt: "When it was added: it is told of what happens after that.",
  },
  WebhookWithSecret: {
    id: "Names it in other calls.",
    url: "Where deliveries are sent to.",
    createdAt: "When it was added: it is told of what happens after that.",
    secret: "What its deliveries are signed with. It is in this answer alone.",
  },
  Delivery: {
    id: "The same as in the delivery's body and its `X-Wherry-Delivery`.",
    type: "`test` is one that you asked for; it is about no order.",
    orderId: "The order that it is about; null of a test.",
    state:
      "`PENDING` will be tried, again or for the first time; `DELIVERED` was answered 2xx; `DEAD` was tried for 72 h.",
    attempts: "How often it was sent since it was made, or since you asked for it again.",
    createdAt: "When it was queued: with the order's own change.",
    lastAttemptAt: "Null before the first attempt.",
    lastStatus: "The HTTP status of the last answer; null where none came.",
    lastError: "Why the last attempt counts as failed; null where it doesn't.",
    nextAttemptAt: "When it is tried next, unless an earlier one of its order waits; null once it is over.",
    deliveredAt: "When it was answered 2xx; null before.",
  },
  DeliveryList: {
    items: "The newest first, of the last 30 days.",
    nextCursor: "Give it as `cursor` for the part after this one; null at the end.",
  },
  OrderUpdated: {
    id: "The delivery's; the same each time that it is tried.",
    type: "Of what the delivery is.",
    createdAt: "When the order's change was decided.",
    data: "The order as it is when the delivery is made.",
  },
  WebhookTest: {
    id: "The delivery's; the same each time that it is tried.",
    type: "Of what the delivery is.",
    createdAt: "When the test was asked for.",
    data: "Empty.",
  },
  Balance: {
    currencyTitle: "The coin, such as `USDT`.",
    networkTitle: "Its network, by the network's own coin, such as `TRX`.",
    balance: "What can be withdrawn.",
    held: "What is on its way out.",
  },
};
