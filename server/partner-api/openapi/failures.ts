import { ADDRESS_UNPAYABLE } from "#contract/address-reasons.ts";
import type { Failure } from "#contract/errors.ts";
import { EXAMPLE_RATE } from "./example-order.ts";

type Json = Record<string, unknown>;
type Shown = { readonly summary: string; readonly value: Failure };
type FailureAnswer = {
  readonly name: string;
  readonly description: string;
  readonly examples: Readonly<Record<string, Shown>>;
};

const failure = (status: Failure["status"], message: string, data?: Json): Failure => ({
  status,
  message,
  ...(data && { data }),
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
});
const invalid = (field: string, why: string): Failure =>
  failure("ERR_VALIDATION", "The request is not valid", { [field]: why });

const TOO_SMALL = { status: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", message: "The minimum is 0.0016" } as const;

/**
 * How signed calls fail, by HTTP status; a test parses each example.
 *
 * @internal Exported for its tests.
 */
export const PARTNER_FAILURES: Readonly<Record<number, FailureAnswer>> = {
  400: {
    name: "Invalid",
    description: `\`ERR_VALIDATION\`: \`data\` says of each field what is wrong with it. Of an address: \`error_address_empty\` (it is needed: that of the
destination always, that of the refund for a fixed rate), \`error_address_incorrect\` (it is none of this network), \`${ADDRESS_UNPAYABLE}\` (it is ours, or a
contract's: nobody can be paid there), \`error_address_must_be_different\` (the refund's is the destination's).`,
    examples: {
      field: {
        summary: "A field that can't be read, or an instrument that isn't known",
        value: invalid("instrumentToSlug", "is neither the slug nor the CAIP-19 id of a known instrument"),
      },
      addressIncorrect: {
        summary: "No address of the network",
        value: invalid("destinationAddress", "error_address_incorrect"),
      },
      addressEmpty: {
        summary: "A fixed rate without an address for the refund",
        value: invalid("refundAddress", "error_address_empty"),
      },
      addressUnpayable: {
        summary: "Nobody can be paid there",
        value: failure("ERR_VALIDATION", "Nobody can be paid at this address", {
          destinationAddress: ADDRESS_UNPAYABLE,
        }),
      },
    },
  },
  401: {
    name: "Unauthorized",
    description:
      "`ERR_UNAUTHORIZED`: the key, the time, the signature or the address is wrong; the answer doesn't say which. Or the signature was right, and was used already: sign the call again with another time stamp.",
    examples: {
      unsigned: {
        summary: "Not signed rightly",
        value: failure(
          "ERR_UNAUTHORIZED",
          "The call is not signed by an API key that may make it, at this time and from this address",
        ),
      },
      used: {
        summary: "Signed rightly, like a call before",
        value: failure(
          "ERR_UNAUTHORIZED",
          "This signature was used already: sign the call again, with another time stamp",
          { "X-Api-Signature": "was used already" },
        ),
      },
    },
  },
  404: {
    name: "NotFound",
    description:
      "`ERR_NOT_FOUND_E`: the account has no such order. `ERR_NOT_FOUND`: it has no such webhook, or the webhook no such delivery.",
    examples: {
      order: {
        summary: "An order of nobody, or of somebody else",
        value: failure("ERR_NOT_FOUND_E", "The account's programs made no such order"),
      },
      webhook: {
        summary: "A webhook of nobody, or of somebody else",
        value: failure("ERR_NOT_FOUND", "There is no such webhook"),
      },
      delivery: {
        summary: "A delivery that the webhook's log doesn't have",
        value: failure("ERR_NOT_FOUND", "The webhook's log has no such delivery"),
      },
    },
  },
  409: {
    name: "StillRunning",
    description:
      "`ERR_BAD_REQUEST`: the first call with this `Idempotency-Key` is still running. Repeat it after `Retry-After`.",
    examples: {
      running: {
        summary: "Asked twice at once",
        value: failure("ERR_BAD_REQUEST", "The first call with this Idempotency-Key is still running"),
      },
    },
  },
  422: {
    name: "Refused",
    description: `The call is well written, and can't be done now. Of a rate or a creation \`data.reasons\` names every reason, each with the nearest amounts of both coins
that can be had: \`ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL\`, \`ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG\`, \`ERR_PAIR_NOT_ACTIVE\`, \`ERR_NO_LIQUIDITY_AVAILABLE\`,
\`ERR_NETWORK_NOT_SUPPORTED\`. \`ERR_UNPROCESSABLE_ENTITY\`: the rate has changed (\`data.rate\` is the one to be had now, as \`GET rates\` answers it), the \`externalId\` is another order's, the
\`Idempotency-Key\` was used with another body, the offer that is accepted is no longer to be had
(\`data.offer\` is the order's new one), or the order is past what was asked of it.`,
    examples: {
      amount: {
        summary: "Less than the minimum",
        value: failure(TOO_SMALL.status, TOO_SMALL.message, {
          expected: "0.0016",
          instrument: "eth",
          reasons: [
            {
              ...TOO_SMALL,
              sourceAmountLimit: "0.0016",
              destinationAmountLimit: "4.775148",
              sourceAmountLimitUnits: "1600000000000000",
              destinationAmountLimitUnits: "4775148",
            },
          ],
        }),
      },
      rate: {
        summary: "The rate has changed",
        value: failure("ERR_UNPROCESSABLE_ENTITY", "The rate has changed", {
          rate: EXAMPLE_RATE,
          reasons: [
            {
              status: "ERR_UNPROCESSABLE_ENTITY",
              message: "The rate has changed",
              sourceAmountLimit: null,
              destinationAmountLimit: null,
              sourceAmountLimitUnits: null,
              destinationAmountLimitUnits: null,
            },
          ],
        }),
      },
      externalId: {
        summary: "Your name for it is taken",
        value: failure("ERR_UNPROCESSABLE_ENTITY", "Another order has this externalId", {
          externalId: "is that of another order",
        }),
      },
      offer: {
        summary: "The offer is no longer to be had; the new one is the order's",
        value: failure("ERR_UNPROCESSABLE_ENTITY", "The rate has changed since it was offered", {
          offer: {
            price: "2969.7",
            amountToGet: "1484.85",
            amountToGetUnits: "1484850000",
            at: "2026-11-21T12:00:00.000Z",
            validUntil: "2026-11-21T12:10:00.000Z",
          },
        }),
      },
      choice: {
        summary: "No offer is open",
        value: failure("ERR_UNPROCESSABLE_ENTITY", "This order has no new rate to accept"),
      },
    },
  },
  429: {
    name: "TooMany",
    description:
      "`ERR_BAD_REQUEST`: too many calls of this key or this address, too many open orders, or five tests of the webhook still wait for its receiver. Wait for `Retry-After` seconds.",
    examples: {
      many: { summary: "Too many calls", value: failure("ERR_BAD_REQUEST", "Too many requests") },
      tests: {
        summary: "Five tests of the webhook wait",
        value: failure("ERR_BAD_REQUEST", "Earlier tests of this webhook still wait for its receiver"),
      },
    },
  },
  500: {
    name: "ServerError",
    description:
      "`ERR_INTERNAL_SERVER_ERROR`: our fault. Repeat a creation with the same `Idempotency-Key`; tell us the `traceId` if it goes on.",
    examples: {
      fault: { summary: "Our fault", value: failure("ERR_INTERNAL_SERVER_ERROR", "Something went wrong on our side") },
    },
  },
  503: {
    name: "Unavailable",
    description:
      "`ERR_SERVICE_UNAVAILABLE`: not now: no orders are taken for the pair, or there is no price. Repeat it after `Retry-After`.",
    examples: {
      stopped: {
        summary: "Not now",
        value: failure("ERR_SERVICE_UNAVAILABLE", "No orders are taken for this pair now"),
      },
    },
  },
};

/** Them as components of the document, by their names. */
export const failureComponents = (): Json =>
  Object.fromEntries(
    Object.values(PARTNER_FAILURES).map(({ name, description, examples }) => [
      name,
      { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" }, examples } } },
    ]),
  );

export const failureRef = (status: number): Json => ({
  $ref: `#/components/responses/${PARTNER_FAILURES[status]?.name ?? "ServerError"}`,
});
