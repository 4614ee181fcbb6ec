import * as z from "zod";
import type { Call } from "#contract/calls.ts";
import { walletBalanceSchema } from "#contract/accounts/earnings.ts";
import { failureSchema } from "#contract/errors.ts";
import { pairListSchema } from "#contract/instrument.ts";
import {
  partnerCreateOrderBodySchema,
  partnerInstrumentSchema,
  partnerOrderSchema,
  partnerOrdersSchema,
  partnerRateSchema,
  partnerReasonSchema,
  partnerRefundBodySchema,
} from "#contract/partner-api.ts";
import {
  createWebhookBodySchema,
  orderUpdatedSchema,
  webhookDeliveriesSchema,
  webhookDeliverySchema,
  webhookSchema,
  webhookTestSchema,
  webhookWithSecretSchema,
} from "#contract/webhooks.ts";
import { FIELD_NOTES } from "./notes.ts";

type Json = Record<string, unknown>;
type ZodType = Call["answer"];

/** What clients generated from the document have as types. */
const NAMED: Readonly<Record<string, ZodType>> = {
  Failure: failureSchema,
  Reason: partnerReasonSchema,
  Instrument: partnerInstrumentSchema,
  PairList: pairListSchema,
  Rate: partnerRateSchema,
  CreateOrder: partnerCreateOrderBodySchema,
  Refund: partnerRefundBodySchema,
  Order: partnerOrderSchema,
  OrderList: partnerOrdersSchema,
  CreateWebhook: createWebhookBodySchema,
  Webhook: webhookSchema,
  WebhookWithSecret: webhookWithSecretSchema,
  Delivery: webhookDeliverySchema,
  DeliveryList: webhookDeliveriesSchema,
  OrderUpdated: orderUpdatedSchema,
  WebhookTest: webhookTestSchema,
  Balance: walletBalanceSchema,
};
const nameOf = new Map<unknown, string>(Object.entries(NAMED).map(([name, schema]) => [schema, name]));

/** Of them, what callers send: a field with a default may be left out. */
const BODIES: ReadonlySet<string> = new Set(["CreateOrder", "Refund", "CreateWebhook"]);

/** The named schemas, with what their fields are beyond their names. */
export const schemaComponents = (): Json =>
  Object.fromEntries(
    Object.entries(NAMED).map(([name, schema]) => {
      const json = jsonOf(schema, BODIES.has(name) ? "input" : "output");
      return [name, described(json, FIELD_NOTES[name] ?? {})];
    }),
  );

/** A schema whose fields have the notes of their paths, such as `deposits[].isCounted`. */
function described(schema: Json, notes: Readonly<Record<string, string>>, prefix = ""): Json {
  const { items, anyOf, properties } = nestedSchema.parse(schema);
  if (items !== undefined) return { ...schema, items: described(items, notes, `${prefix}[]`) };
  if (anyOf !== undefined) return { ...schema, anyOf: anyOf.map((one) => described(one, notes, prefix)) };
  if (properties === undefined) return schema;
  const fields = Object.entries(properties).map(([name, property]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const description = notes[path];
    return [name, { ...described(property, notes, path), ...(description !== undefined && { description }) }];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

const jsonSchema = z.record(z.string(), z.unknown());
const nestedSchema = z.object({
  items: jsonSchema.optional(),
  anyOf: z.array(jsonSchema).optional(),
  properties: z.record(z.string(), jsonSchema).optional(),
});

/** The name of a schema that has one, else the schema. */
export function refOf(schema: ZodType, io: "input" | "output"): Json {
  const name = nameOf.get(schema);
  return name === undefined ? jsonOf(schema, io) : { $ref: `#/components/schemas/${name}` };
}

/** As OpenAPI 3.1 has it, which is JSON Schema 2020-12; named schemas inside are called by their names. */
export function jsonOf(schema: ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    override: ({ zodSchema, jsonSchema: inner }) => {
      const name = nameOf.get(zodSchema);
      if (name === undefined || name === nameOf.get(schema)) return;
      for (const key of Object.keys(inner)) Reflect.deleteProperty(inner, key);
      inner.$ref = `#/components/schemas/${name}`;
    },
  });
  return json;
}
