import type { Call } from "#contract/calls.ts";
import { orderUpdatedSchema, webhookTestSchema } from "#contract/webhooks.ts";
import { DELIVERY } from "../../http/openapi/examples/programs.ts";
import { EXAMPLE_AT, EXAMPLE_COMPLETED } from "./example-order.ts";
import { refOf } from "./schemas.ts";
import { DELIVERIES } from "./texts.ts";

type Json = Record<string, unknown>;

const EXAMPLE = {
  id: DELIVERY.id,
  type: "order.updated",
  createdAt: EXAMPLE_AT,
  data: EXAMPLE_COMPLETED,
};
const TEST = { ...EXAMPLE, type: "test", data: {} };

/** The document's `webhooks`: what the account's receivers are sent. */
export const webhooksPart = (): Json => ({
  "order.updated": deliveryOf(orderUpdatedSchema, EXAMPLE, {
    operationId: "orderUpdated",
    summary: "Something was decided for an order",
    description: DELIVERIES,
  }),
  test: deliveryOf(webhookTestSchema, TEST, {
    operationId: "webhookTest",
    summary: "Somebody asked for a test of the receiver",
    description: "Signed and tried like any other delivery. It is about no order: answer 2xx, and do nothing else.",
  }),
});

const deliveryOf = (schema: Call["answer"], example: Json, about: Json): Json => ({
  post: {
    ...about,
    security: [],
    parameters: [
      {
        name: "X-Wherry-Signature",
        in: "header",
        required: true,
        description: "`t=<seconds>,v1=<hex HMAC-SHA256 of t.body>`",
        schema: { type: "string" },
        example: "t=1795262400,v1=4df33e23fedd23147d5f4a78b7b3fc37d127cb677566d795fe8616715c86c09e",
      },
      {
        name: "X-Wherry-Delivery",
        in: "header",
        required: true,
        description: "The delivery's id, as in the body.",
        schema: { type: "string" },
        example: EXAMPLE.id,
      },
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: refOf(schema, "output"),
          example,
        },
      },
    },
    responses: { "2XX": { description: "Taken. Anything else, or nothing within 10 s, is tried again." } },
  },
});
