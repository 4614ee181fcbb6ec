import * as z from "zod";
import { type Call, partnerCalls, type PartnerCallName } from "#contract/calls.ts";
import { failureSchema } from "#contract/errors.ts";
import { pairListSchema } from "#contract/instrument.ts";
import {
  partnerCreateOrderBodySchema,
  partnerInstrumentSchema,
  partnerOrderSchema,
  partnerRateSchema,
  partnerReasonSchema,
} from "#contract/partner.ts";
import { PARTNER_EXAMPLES } from "./examples.ts";

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
  Order: partnerOrderSchema,
};

/** Of them, what callers send: a field with a default may be left out. */
const BODIES: ReadonlySet<string> = new Set(["CreateOrder"]);

const SIGNING = `Signed with an API key of the account. \`X-Api-Signature\` is base64(HMAC-SHA256(secret, text)). With \`X-Api-Signature-Version: 2\` the text is
\`timestamp\\nMETHOD\\npath?query\\nhex(sha256(body))\\npublicKey\`, with version 1 it is \`timestamp + body + publicKey\`; the body is the exact bytes, empty for a GET.
\`X-Api-Timestamp\` is in milliseconds and at most 30 s off. Version 1 reads, and creates orders; version 2 does everything. Signatures of version 2,
and of creations by version 1, are taken once. A wrong key, time, signature or address is ERR_UNAUTHORIZED.`;

const DESCRIPTION = `Amounts, prices and fees are decimal strings; amounts in \`…Units\` count the chain's own smallest unit. Times are ISO 8601 in UTC. Instruments are named
by slug or by CAIP-19. Failures carry a code in \`status\`; a rate that can't be had names every reason in \`data.reasons\`, each with the nearest amounts of
both coins that could be had. Each answer has \`RateLimit\` headers.

In a sandbox \`POST orders\` takes a \`sandboxOutcome\`: the sandbox then pays the order itself. \`slow\`: after the fixed rate's time (move it with \`POST /sandbox/clock\`);
\`wrong-amount\`: a tenth less; \`volatility\`: the market has fallen by more than the fixed rate bears, for this order alone; \`partner-fails\`: the provider that was to fill it
refuses, and another one does; \`refund\`: less than the minimum, and the deposit is asked back.

${SIGNING}`;

/** The OpenAPI 3.1 document of the signed calls, and of nothing else (contract §13). */
export function partnerOpenApi(publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const name of names) {
    const call: Call = partnerCalls[name];
    const path = call.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(name, call) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Wherry partner API", version: "2", description: DESCRIPTION },
    servers: [{ url: publicUrl }],
    security: [{ publicKey: [], timestamp: [], signature: [], signatureVersion: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(NAMED).map(([name, schema]) => [name, jsonOf(schema, BODIES.has(name) ? "input" : "output")]),
      ),
      securitySchemes: {
        publicKey: header("X-Api-Public-Key", "The public part of an API key"),
        timestamp: header("X-Api-Timestamp", "Milliseconds since 1970, at most 30 s off"),
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

function operationOf(name: PartnerCallName, call: Call): Json {
  const { query, body, answer } = PARTNER_EXAMPLES[name] ?? {};
  const parameters = [
    ...parametersOf(call.params, "path", { orderId: "4fJ0m1rTq8ZbX2cVn6LsKw" }),
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
      ...Object.fromEntries(failuresOf(call).map((status) => [status, FAILURE])),
    },
  };
}

const FAILURE: Json = {
  description: "The call failed; `status` says why",
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/Failure" },
      example: {
        status: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
        message: "The minimum is 0.01",
        data: {
          expected: "0.01",
          instrument: "eth",
          reasons: [
            {
              status: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
              message: "The minimum is 0.01",
              sourceAmountLimit: "0.01",
              destinationAmountLimit: "29.551",
            },
          ],
        },
        traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      },
    },
  },
};

const failuresOf = ({ params, query, body, idempotent }: Call): number[] => [
  400,
  401,
  ...(params ? [404] : []),
  ...(idempotent ? [409] : []),
  ...(params || query || body ? [422] : []),
  429,
  500,
  503,
];

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
  examples: Readonly<Record<string, string>>,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = objectSchema.parse(jsonOf(schema, "input"));
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
    ...(examples[name] !== undefined && { example: examples[name] }),
  }));
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});

const contentOf = (schema: ZodType, io: "input" | "output", example: unknown): Json => ({
  "application/json": { schema: refOf(schema, io), ...(example !== undefined && { example }) },
});

function refOf(schema: ZodType, io: "input" | "output"): Json {
  const named = Object.entries(NAMED).find(([, one]) => one === schema);
  return named === undefined ? jsonOf(schema, io) : { $ref: `#/components/schemas/${named[0]}` };
}

/** As OpenAPI 3.1 has it, which is JSON Schema 2020-12. */
function jsonOf(schema: ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: "draft-2020-12", io });
  return json;
}
