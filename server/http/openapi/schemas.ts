import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import * as z from "zod";
import { failureSchema } from "#contract/errors.ts";
import { instrumentSchema } from "#contract/instrument.ts";
import { orderSchema } from "#contract/order.ts";
import { pairDataSchema } from "#contract/rate.ts";

/** What many answers hold, and generated clients have as types. */
const registry = z.registry<{ id: string }>();
registry.add(failureSchema, { id: "Failure" });
registry.add(instrumentSchema, { id: "Instrument" });
registry.add(orderSchema, { id: "Order" });
registry.add(pairDataSchema, { id: "Rate" });

/** A route's schemas as JSON schemas, in which those above are called by their names. */
export const transformRoute = createJsonSchemaTransform({ schemaRegistry: registry });

export const addNamedSchemas = createJsonSchemaTransformObject({ schemaRegistry: registry });

/** Of each there is one for bodies too, which no call takes. */
export const withoutBodies = (schemas: object): object =>
  Object.fromEntries(Object.entries(schemas).filter(([name]) => !name.endsWith("Input")));
