import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { calls, type Call, type CallName } from "#contract/calls.ts";
import type { Failure } from "#contract/errors.ts";
import { addFixedDocument } from "./fixed-document.ts";
import { EXAMPLES, type Example } from "./openapi-examples.ts";

/** What the document's tags group, by the part of the path after the version. */
const TAGS: Readonly<Record<string, string>> = {
  affiliates: "Referrals, cashback and withdrawals",
  content: "Articles of the blog and the docs, and pages about the exchange itself",
  inquiries: "Messages to whoever runs the exchange",
  "liquidity-providers": "Buying and selling by card",
  instruments: "Coins on their networks, and addresses",
  orders: "Orders, refunds and push notifications",
  pairs: "What can be exchanged to what",
  prices: "Prices of coins, now and before",
  rates: "Rates with all fees",
  service: "Health and figures of the service",
  site: "Texts and redirects of pages",
  users: "Accounts, signing in, sessions and the wallet",
};

const SERVICE_PATHS = new Set(["health", "healthz", "stats"]);

export function tagOf({ path }: Pick<Call, "path">): string {
  if (path.startsWith("/content/")) return "content";
  const part = path.startsWith("/dict/") ? "site" : (path.split("/")[3] ?? "service");
  return SERVICE_PATHS.has(part) ? "service" : part;
}

const FAILURE: Failure = {
  status: "ERR_VALIDATION",
  message: "The request is not valid",
  data: { claimedDepositAmount: "must be more than zero" },
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
};

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Equal calls with the same key run once and get the first answer.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "0b0e6f7a-2f0e-4a55-9f0e-6f7a2f0e4a55",
} as const;

/** Collects the calls of the contract that are added after it into the OpenAPI document at /api/openapi.json. */
export async function addOpenApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Wherry API",
        version: "1",
        description:
          "Amounts, prices and fees are decimal strings, times are ISO-8601 UTC. Failures carry a code in `status`.",
      },
      servers: [{ url: publicUrl }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: { accessToken: { type: "http", scheme: "bearer" } } },
    },
    // Files, pages, webhooks and the sandbox are no calls of the API.
    transform: (route) =>
      typeof route.schema?.operationId === "string"
        ? jsonSchemaTransform(route)
        : { schema: { hide: true }, url: route.url },
    transformObject: (document) => ("openapiObject" in document ? complete(document.openapiObject) : {}),
  });
  addFixedDocument(app, "/api/openapi.json", () => app.swagger());
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds what schemas do not say: examples, the Idempotency-Key, who must be signed in. */
function complete<Document extends { paths?: object }>(document: Document): Document {
  const paths: unknown = document.paths;
  for (const [name, call] of Object.entries<Call>(calls)) {
    const path = isObject(paths) ? paths[call.path.replace(/:(\w+)/g, "{$1}")] : undefined;
    const operation = isObject(path) ? path[call.method.toLowerCase()] : undefined;
    if (isObject(operation)) completeOperation(operation, call, EXAMPLES[name as CallName] ?? {});
  }
  return document;
}

function completeOperation(operation: Json, call: Call, example: Example): void {
  const parameters: Json[] = (Array.isArray(operation["parameters"]) ? operation["parameters"] : []).filter(isObject);
  for (const parameter of parameters) {
    const value = example.query?.[String(parameter["name"])];
    if (value !== undefined) parameter["example"] = value;
  }
  if (call.idempotent) parameters.push({ ...IDEMPOTENCY_KEY });
  if (parameters.length > 0) operation["parameters"] = parameters;
  if (call.isForSignedIn) operation["security"] = [{ accessToken: [] }];
  setExample(operation["requestBody"], example.body);
  const responses = operation["responses"];
  if (!isObject(responses)) return;
  const success = call.successStatus ?? 200;
  const { [success]: answer, "4XX": failure } = responses;
  if (isObject(answer)) answer["description"] = call.summary;
  setExample(answer, example.answer);
  // One by one: client generators do not take ranges such as 4XX.
  operation["responses"] = {
    [success]: answer,
    ...Object.fromEntries(failuresOf(call).map((status) => [status, failure])),
  };
  if (isObject(failure)) failure["description"] = "The call failed; `status` says why";
  setExample(failure, FAILURE);
}

/** The HTTP statuses that a call fails with (contract §1). */
function failuresOf(call: Call): number[] {
  return [
    400,
    ...(call.isForSignedIn ? [401, 418] : []),
    ...(call.params || call.query || call.body ? [404] : []),
    ...(call.idempotent ? [409] : []),
    ...(call.params || call.query || call.body ? [422] : []),
    429,
    500,
    503,
  ];
}

function setExample(holder: unknown, example: unknown): void {
  if (example === undefined || !isObject(holder) || !isObject(holder["content"])) return;
  const content = holder["content"]["application/json"];
  if (isObject(content)) content["example"] = example;
}
