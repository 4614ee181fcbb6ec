import * as z from "zod";
import { type Call, partnerCalls, type PartnerCallName } from "#contract/calls.ts";
import type { Example } from "../../http/openapi/examples/example.ts";
import { failureResponses, RETRY_AFTER } from "../../http/openapi/failures/responses.ts";
import { PARTNER_EXAMPLES } from "./examples.ts";
import { descriptionOf, partnerFailuresOf } from "./failures.ts";
import { PARAMETER_NOTES } from "./notes.ts";
import { jsonOf, refOf, schemaComponents } from "./schemas.ts";
import { INTRODUCTION, SIGNING } from "./texts.ts";
import { webhooksPart } from "./webhook.ts";

type Json = Record<string, unknown>;
type ZodType = Call["answer"];

/** The OpenAPI 3.1 document of the signed calls, and of nothing else (contract §13). */
export function partnerOpenApi(publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  const responses: Json = {};
  for (const name of names) {
    const call: Call = partnerCalls[name];
    const path = call.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(name, call, responses) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Wherry partner API", version: "2", description: INTRODUCTION },
    servers: [{ url: publicUrl }],
    security: [{ publicKey: [], timestamp: [], signature: [], signatureVersion: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksPart(),
    components: {
      schemas: schemaComponents(),
      headers: RETRY_AFTER,
      responses,
      securitySchemes: {
        publicKey: header("X-Api-Public-Key", "The public part of an API key"),
        timestamp: header("X-Api-Timestamp", "Milliseconds since 1970, at most 30 s from the server's real clock"),
        signature: header("X-Api-Signature", SIGNING),
        signatureVersion: header("X-Api-Signature-Version", "2; absent for version 1"),
      },
    },
  };
}

const names = Object.keys(partnerCalls).filter((name): name is PartnerCallName => name in partnerCalls);

const TAGS: Readonly<Record<string, string>> = {
  instruments: "Coins on their networks",
  pairs: "What can be exchanged to what",
  rates: "Rates with all fees and the partner's markup",
  orders: "Orders of the partner's customers",
  webhooks: "Receivers of what happens to orders, and the log of what they were sent",
  balances: "What the partner has earned",
};

const header = (name: string, description: string): Json => ({ type: "apiKey", in: "header", name, description });

function operationOf(name: PartnerCallName, call: Call, components: Json): Json {
  const { params, query, body, answer }: Example = PARTNER_EXAMPLES[name];
  const parameters = [
    ...parametersOf(call.params, "path", params ?? {}),
    ...parametersOf(call.query, "query", query ?? {}),
    ...(call.idempotent ? [idempotencyKey(name === "partnerCreateOrder")] : []),
  ];
  return {
    operationId: name,
    summary: call.summary,
    tags: [call.path.split("/")[4] ?? ""],
    ...(parameters.length > 0 && { parameters }),
    ...(call.body && { requestBody: { required: true, content: contentOf(call.body, "input", body) } }),
    responses: {
      [call.successStatus ?? 200]: { description: call.summary, content: contentOf(call.answer, "output", answer) },
      ...failureResponses(partnerFailuresOf(name, call), components, descriptionOf),
    },
  };
}

const idempotencyKey = (required: boolean): Json => ({
  name: "Idempotency-Key",
  in: "header",
  required,
  description: "Equal calls with the same key run once and get the first answer.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "0b0e6f7a-2f0e-4a55-9f0e-6f7a2f0e4a55",
});

function parametersOf(
  schema: ZodType | undefined,
  place: "path" | "query",
  examples: Readonly<Record<string, string | null | undefined>>,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = objectSchema.parse(jsonOf(schema, "input"));
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(PARAMETER_NOTES[name] !== undefined && { description: PARAMETER_NOTES[name] }),
    schema: property,
    ...(examples[name] != null && { example: examples[name] }),
  }));
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});

const contentOf = (schema: ZodType, io: "input" | "output", example: unknown): Json => ({
  "application/json": { schema: refOf(schema, io), example },
});
