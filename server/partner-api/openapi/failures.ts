import { ADDRESS_UNPAYABLE } from "#contract/address.ts";
import type { Call, PartnerCallName } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import {
  BAD_ADDRESS,
  failure,
  invalid,
  named,
  type CallFailure,
  type FailuresOf,
} from "../../http/openapi/failures/failure.ts";
import {
  badCursor,
  badUrl,
  noDelivery,
  noWebhook,
  tooManyTests,
  tooManyWebhooks,
} from "../../http/openapi/failures/programs.ts";
import * as rates from "../../http/openapi/failures/rates.ts";
import * as orders from "../../http/openapi/failures/orders.ts";
import { sharedFailures } from "../../http/openapi/failures/shared.ts";
import { EXAMPLE_RATE } from "./example-order.ts";

type Json = Record<string, unknown>;

const unsigned = named(
  "Unauthorized",
  failure(
    "ERR_UNAUTHORIZED",
    "Not signed rightly",
    "The call is not signed by an API key that may make it, at this time and from this address",
  ),
);
const usedSignature = named(
  "UsedSignature",
  failure(
    "ERR_UNAUTHORIZED",
    "Signed rightly, like a call before",
    "This signature was used already: sign the call again, with another time stamp",
    { data: { "X-Api-Signature": "was used already" } },
  ),
);

const NO_LIMITS = {
  sourceAmountLimit: null,
  destinationAmountLimit: null,
  sourceAmountLimitUnits: null,
  destinationAmountLimitUnits: null,
};
const LEAST = {
  sourceAmountLimit: "0.0016",
  destinationAmountLimit: "4.775148",
  sourceAmountLimitUnits: "1600000000000000",
  destinationAmountLimitUnits: "4775148",
};
const MOST = {
  sourceAmountLimit: "15.9",
  destinationAmountLimit: "48975.875634",
  sourceAmountLimitUnits: "15900000000000000000",
  destinationAmountLimitUnits: "48975875634",
};

/** As rates and creations are refused: with every reason. */
function withReasons({ when, error }: CallFailure, limits: Json = NO_LIMITS): CallFailure {
  const { code, message, data, httpStatus, retryAfterSeconds } = error;
  const reasons = [{ status: code, message, ...limits }];
  const options = { httpStatus, data: { ...data, reasons } };
  return {
    when,
    error: new CodedError(code, message, retryAfterSeconds === undefined ? options : { ...options, retryAfterSeconds }),
  };
}
const refused = (when: string, message: string, data?: Json) =>
  failure("ERR_UNPROCESSABLE_ENTITY", when, message, data === undefined ? {} : { data });

const unknownInstrument = invalid(
  "instrumentToSlug",
  "is neither the slug nor the CAIP-19 id of a known instrument",
  "A field that can't be read, or an instrument that isn't known",
);
const noRate = [
  withReasons(rates.noFixedRate),
  withReasons(rates.tooSmall, LEAST),
  withReasons(rates.tooBig, MOST),
  withReasons(rates.pairNotActive),
  withReasons(rates.noLiquidity),
  withReasons(rates.noPrice),
];

const badOrderId = invalid("orderId", "must be an order's id of 22 or more letters and digits");
const noOrder = named(
  "OrderNotFound",
  failure("ERR_NOT_FOUND_E", "An order of nobody, or of somebody else", "The account's programs made no such order"),
);
const badWebhookId = invalid("webhookId", "Invalid GUID");

const badAddress = (field: string) => invalid(field, BAD_ADDRESS, "No address of the network");
const OWN: FailuresOf<PartnerCallName> = {
  partnerInstruments: [],
  partnerPairs: [],
  partnerRate: [unknownInstrument, ...noRate],
  partnerCreateOrder: [
    unknownInstrument,
    badAddress("destinationAddress"),
    invalid("refundAddress", "error_address_empty", "A fixed rate without an address for the refund"),
    orders.sameAddress,
    orders.unpayable("destinationAddress"),
    invalid("Idempotency-Key", "is needed", "A creation without the key"),
    withReasons(orders.blacklisted),
    ...noRate,
    withReasons(rates.notSupported),
    withReasons(refused("The rate has changed", "The rate has changed", { rate: EXAMPLE_RATE })),
    withReasons(
      refused("Your name for it is taken", "Another order has this externalId", {
        externalId: "is that of another order",
      }),
    ),
    withReasons(orders.tooManyUnpaid),
    withReasons(orders.pairStopped),
  ],
  partnerOrders: [
    invalid(
      "from",
      "must be a time with its offset, such as 2026-11-21T12:00:00Z, or a day; in an address a + is written %2B",
    ),
    badCursor,
  ],
  partnerOrder: [badOrderId, noOrder],
  partnerRefund: [
    badOrderId,
    invalid("refundAddress", "is needed: the order has none", "Neither the call nor the order has an address"),
    badAddress("refundAddress"),
    orders.sameAddress,
    orders.unpayable("refundAddress"),
    orders.blacklisted,
    noOrder,
    refused("Nothing was paid", "There is no deposit to refund yet"),
    refused("It is too late", "The payout has begun already"),
    refused("The order has its address", "The refund address of this order can't be replaced"),
    rates.notSupported,
    rates.noPrice,
    orders.paymentUndecided,
  ],
  partnerAccept: [
    badOrderId,
    noOrder,
    refused(
      "The offer is no longer to be had; the new one is the order's",
      "The rate has changed since it was offered",
      {
        offer: {
          price: "2969.7",
          amountToGet: "1484.85",
          amountToGetUnits: "1484850000",
          at: "2026-11-21T12:00:00.000Z",
          validUntil: "2026-11-21T12:10:00.000Z",
        },
      },
    ),
    refused("No offer is open", "This order has no new rate to accept"),
    orders.noPriceOfOrder,
    orders.noNewRates,
  ],
  partnerCreateWebhook: [badUrl, tooManyWebhooks],
  partnerWebhooks: [],
  partnerDeleteWebhook: [badWebhookId, noWebhook],
  partnerDeliveries: [badWebhookId, badCursor, noWebhook],
  partnerTestWebhook: [badWebhookId, noWebhook, tooManyTests],
  partnerRedeliver: [badWebhookId, noWebhook, noDelivery],
  partnerBalances: [],
};

/** Every way a signed call fails: its own ones first. */
export const partnerFailuresOf = (name: PartnerCallName, call: Call): CallFailure[] => [
  ...OWN[name],
  unsigned,
  usedSignature,
  ...sharedFailures(call),
];

/** What the document says of each HTTP status of a failure. */
const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: `\`ERR_VALIDATION\`: \`data\` says of each field what is wrong with it. Of an address: \`error_address_empty\` (it is needed: that of the
destination always, that of the refund for a fixed rate), \`error_address_incorrect\` (it is none of this network), \`${ADDRESS_UNPAYABLE}\` (it is ours, or a
contract's: nobody can be paid there), \`error_address_must_be_different\` (the refund's is the destination's). \`ERR_BAD_REQUEST\`: the request is no HTTP or no
JSON that can be read.`,
  401: "`ERR_UNAUTHORIZED`: the key, the time, the signature or the address is wrong; the answer doesn't say which. Or the signature was right, and was used already: sign the call again with another time stamp.",
  403: "`ERR_FORBIDDEN`: an address is blacklisted, or a browser makes the call from another site.",
  404: "`ERR_NOT_FOUND_E`: the account has no such order. `ERR_NOT_FOUND`: it has no such webhook, or the webhook no such delivery.",
  406: "`ERR_NOT_ACCEPTABLE`: the pair can't be had in this rate mode. `data.reasons` names every reason, as for 422.",
  409: "`ERR_BAD_REQUEST`: the first call with this `Idempotency-Key` is still running. Repeat it after `Retry-After`.",
  413: "`ERR_BAD_REQUEST`: the body has more than 64 KiB.",
  415: "`ERR_BAD_REQUEST`: the body is not `application/json`.",
  422: `The call is well written, and can't be done now. Of a rate or a creation \`data.reasons\` names every reason, each with the nearest amounts of both coins
that can be had: \`ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL\`, \`ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG\`, \`ERR_PAIR_NOT_ACTIVE\`, \`ERR_NO_LIQUIDITY_AVAILABLE\`,
\`ERR_NETWORK_NOT_SUPPORTED\`. \`ERR_UNPROCESSABLE_ENTITY\`: the rate has changed (\`data.rate\` is the one to be had now, as \`GET rates\` answers it), the \`externalId\` is another order's, the
\`Idempotency-Key\` was used with another body, the offer that is accepted is no longer to be had
(\`data.offer\` is the order's new one), the account has too many webhooks, or the order is past what was asked of it.`,
  429: "`ERR_BAD_REQUEST`: too many calls of this key or this address, too many open orders, or five tests of the webhook still wait for its receiver. Wait for `Retry-After` seconds.",
  500: "`ERR_INTERNAL_SERVER_ERROR`: our fault. Repeat a creation with the same `Idempotency-Key`; tell us the `traceId` if it goes on.",
  503: "`ERR_SERVICE_UNAVAILABLE`: not now: no orders are taken for the pair, there is no price, or which signatures were used is not known since the database was recovered. Repeat it after `Retry-After`.",
};

export const descriptionOf = (status: number): string => DESCRIPTIONS[status] ?? "";
