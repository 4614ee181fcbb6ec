import { ADDRESS_UNPAYABLE } from "#contract/address.ts";
import type { orderCalls } from "#contract/calls/orders.ts";
import { EMAIL_NOT_CONFIRMED, VERIFICATION_NEEDED } from "#contract/card.ts";
import { RATE, REFUND } from "../examples/exchange.ts";
import { BAD_ADDRESS, failure, type FailuresOf, invalid, MISSING, named, NO_SLUG } from "./failure.ts";
import {
  noFixedRate,
  noLiquidity,
  noPrice,
  notSupported,
  pairNotActive,
  refundOnly,
  tooBig,
  tooSmall,
} from "./rates.ts";

const orderNotFound = named(
  "OrderNotFound",
  failure(
    "ERR_NOT_FOUND_E",
    "There is no such order, or it has another destination address",
    "Order not found or destination address incorrect",
  ),
);
const needsOrder = [invalid("orderId", MISSING), orderNotFound];

export const unpayable = (field: string) =>
  failure("ERR_VALIDATION", "The address is ours or a contract's", "Nobody can be paid at this address", {
    data: { [field]: ADDRESS_UNPAYABLE },
  });
export const sameAddress = failure(
  "ERR_VALIDATION",
  "The refund would go where the payout goes",
  "The refund address must differ from the destination",
  { data: { refundAddress: "error_address_must_be_different" } },
);
export const blacklisted = failure("ERR_FORBIDDEN", "An address is blacklisted", "Client data is blacklisted");
export const tooManyUnpaid = failure(
  "ERR_BAD_REQUEST",
  "The client has too many unpaid orders",
  "Too many orders wait for their deposit",
  { httpStatus: 429, retryAfterSeconds: 60 },
);
export const pairStopped = failure(
  "ERR_SERVICE_UNAVAILABLE",
  "The pair is stopped for now",
  "No orders are taken for this pair now",
  { retryAfterSeconds: 60 },
);
export const noPriceOfOrder = failure(
  "ERR_SERVICE_UNAVAILABLE",
  "A price is missing",
  "There is no price for this order now",
  { retryAfterSeconds: 5 },
);
export const paymentUndecided = failure(
  "ERR_SERVICE_UNAVAILABLE",
  "The order may have been paid out already, which is being checked",
  "The payments of this order are being checked; try again later",
  { retryAfterSeconds: 60 },
);
export const noNewRates = refundOnly("No new rates are offered now; request a refund or try again later");
export const noPush = failure("ERR_NOT_FOUND", "Push is off", "Push notifications are not available here");
export const unknownPushService = invalid("endpoint", "is not an address of a known push service");

const refused = (when: string, message: string, data?: Record<string, unknown>) =>
  failure("ERR_UNPROCESSABLE_ENTITY", when, message, data === undefined ? {} : { data });

export const orderFailures: FailuresOf<keyof typeof orderCalls> = {
  latestOrders: [],
  pairActivity: [
    invalid("instrumentFromSlug", NO_SLUG),
    failure("ERR_NOT_FOUND", "There is no such pair", "This pair can't be exchanged"),
  ],
  askedPairs: [],
  orderInfo: needsOrder,
  orderState: needsOrder,
  refundInfo: [...needsOrder, noPrice],
  createOrder: [
    invalid("destinationAddress", BAD_ADDRESS, "The address is none of its network"),
    invalid("refundAddress", "error_address_empty", "A fixed rate needs an address for the refund"),
    sameAddress,
    unpayable("destinationAddress"),
    blacklisted,
    failure("ERR_FORBIDDEN", "The card provider has to verify the customer first", VERIFICATION_NEEDED),
    failure("ERR_FORBIDDEN", "The card provider knows the account's email", EMAIL_NOT_CONFIRMED),
    failure("ERR_NOT_FOUND", "Unknown `referrerId`: leave it out", "There is no such referrerAffiliateId"),
    noFixedRate,
    tooSmall,
    tooBig,
    pairNotActive,
    noLiquidity,
    notSupported,
    refused("The claimed rate can't be had; `data.rate` is the one of now", "The rate has changed", { rate: RATE }),
    tooManyUnpaid,
    pairStopped,
    noPrice,
  ],
  setEmail: [
    invalid("userEmail", "must be an email address"),
    orderNotFound,
    refused("The order has an email", "The email of this order is already set"),
    refused("It is asked by the id alone", "The order ended long ago: its email needs its destination address"),
  ],
  requestRefund: [
    invalid("refundAddress", BAD_ADDRESS, "The address is none of its network"),
    sameAddress,
    unpayable("refundAddress"),
    blacklisted,
    orderNotFound,
    refused(
      "The claimed figures are others than those of `data`",
      "The refund has changed since it was quoted",
      REFUND,
    ),
    refused("Nothing was paid", "There is no deposit to refund yet"),
    refused("It is too late", "The payout has begun already"),
    refused("The order has its address", "The refund address of this order can't be replaced"),
    notSupported,
    noPrice,
    paymentUndecided,
  ],
  stopRefund: [
    invalid("token", MISSING),
    failure("ERR_NOT_FOUND_E", "There is no such order, or it has another token", "Order not found or token wrong"),
    refused("Nothing waits", "No refund waits to be stopped"),
    refused("It is too late", "The refund is on its way already"),
  ],
  acceptRateModeChange: [
    invalid("destinationAddress", MISSING),
    orderNotFound,
    refused("The offer has ended; `data.offer` is the new one", "The rate has changed since it was offered", {
      offer: {
        price: "2969.700608",
        amountToGet: "1484.850304",
        at: "2026-11-21T12:32:00.000Z",
        validUntil: "2026-11-21T12:42:00.000Z",
      },
    }),
    refused("No choice is open", "This order has no new rate to accept"),
    noPriceOfOrder,
    noNewRates,
  ],
  pushKey: [],
  subscribePush: [
    unknownPushService,
    orderNotFound,
    noPush,
    refused("The order has ended", "This order has ended: there is nothing more to notify about"),
    refused("Too many have subscribed", "This order has the maximum number of subscribed browsers"),
  ],
  unsubscribePush: [invalid("endpoint", MISSING), orderNotFound],
};
