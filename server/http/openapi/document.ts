import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { calls, type Call, type CallName } from "#contract/calls.ts";
import { CARD_SIGNATURE_HEADER } from "#contract/card.ts";
import { ACCESS_COOKIE, REFRESH_COOKIE } from "../cookies.ts";
import { addFixedDocument } from "../fixed-document.ts";
import { EXAMPLES, type Example } from "./examples/index.ts";
import { failuresOf } from "./failures/index.ts";
import { failureResponses, RETRY_AFTER } from "./failures/responses.ts";
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
const transformRoute = createJsonSchemaTransform({ schemaRegistry: registry });

const addNamedSchemas = createJsonSchemaTransformObject({ schemaRegistry: registry });

/** Of each there is one for bodies too, which no call takes. */
const withoutBodies = (schemas: object): object =>
  Object.fromEntries(Object.entries(schemas).filter(([name]) => !name.endsWith("Input")));

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

const SECURITY_SCHEMES = {
  accessToken: { type: "http", scheme: "bearer", description: "Of a session that Telegram's launch data opened" },
  accessCookie: { type: "apiKey", in: "cookie", name: ACCESS_COOKIE, description: "Of a session of a browser" },
  refreshCookie: { type: "apiKey", in: "cookie", name: REFRESH_COOKIE, description: "Of a session of a browser" },
  cardSignature: {
    type: "apiKey",
    in: "header",
    name: CARD_SIGNATURE_HEADER,
    description: "The hex HMAC-SHA256 of the body, by the card provider",
  },
} as const;
const SESSION = [{ accessToken: [] }, { accessCookie: [] }];
/** Calls that no session opens, but something else. */
const OTHER_SECURITY: { readonly [Name in CallName]?: readonly Json[] } = {
  refresh: [{ refreshCookie: [] }],
  cardCallback: [{ cardSignature: [] }],
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
          "Amounts, prices and fees are decimal strings, times are ISO-8601 UTC. Failures carry a code in `status`. A bearer token that is wrong or has expired fails any call, with 401 or 418.",
      },
      servers: [{ url: publicUrl }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    // Files, pages, webhooks and the sandbox are no calls of the API.
    transform: (route) =>
      typeof route.schema?.operationId === "string"
        ? transformRoute(route)
        : { schema: { hide: true }, url: route.url },
    transformObject: (document) => complete(addNamedSchemas(document)),
  });
  addFixedDocument(app, "/api/openapi.json", () => app.swagger());
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds what schemas do not say: examples, failures, the Idempotency-Key, who must be signed in. */
function complete<Document extends { paths?: object; components?: { schemas?: object } }>(
  document: Document,
): Document {
  const paths: unknown = document.paths;
  const responses: Json = {};
  for (const [name, call] of callsByName) {
    const path = isObject(paths) ? paths[call.path.replace(/:(\w+)/g, "{$1}")] : undefined;
    const operation = isObject(path) ? path[call.method.toLowerCase()] : undefined;
    if (isObject(operation)) completeOperation(operation, name, call, responses);
  }
  const schemas = withoutBodies(document.components?.schemas ?? {});
  return { ...document, components: { ...document.components, schemas, headers: RETRY_AFTER, responses } };
}

const callsByName = Object.entries(calls) as [CallName, Call][];

function completeOperation(operation: Json, name: CallName, call: Call, components: Json): void {
  const example: Example = EXAMPLES[name];
  const parameters: Json[] = (Array.isArray(operation["parameters"]) ? operation["parameters"] : []).filter(isObject);
  for (const parameter of parameters) {
    const value = { ...example.params, ...example.query }[String(parameter["name"])];
    if (value !== undefined) parameter["example"] = value;
  }
  if (call.idempotent) parameters.push({ ...IDEMPOTENCY_KEY });
  if (parameters.length > 0) operation["parameters"] = parameters;
  const security = securityOf(name, call);
  if (security !== undefined) operation["security"] = security;
  setExample(operation["requestBody"], example.body);
  const responses = operation["responses"];
  if (!isObject(responses)) return;
  const success = call.successStatus ?? 200;
  const { [success]: answer } = responses;
  if (isObject(answer)) answer["description"] = call.summary;
  setExample(answer, example.answer);
  // One by one: client generators do not take ranges such as 4XX.
  operation["responses"] = { [success]: answer, ...failureResponses(failuresOf(name, call), components) };
}

/** Undefined for whoever calls; `{}` beside a session where the call is for guests too. */
function securityOf(name: CallName, { isForSignedIn, usesSession }: Call): readonly Json[] | undefined {
  if (isForSignedIn) return SESSION;
  return usesSession ? [...SESSION, {}] : OTHER_SECURITY[name];
}

function setExample(holder: unknown, example: unknown): void {
  if (example === undefined || !isObject(holder) || !isObject(holder["content"])) return;
  for (const content of Object.values(holder["content"])) if (isObject(content)) content["example"] = written(example);
}

/** A file of a form as its name. */
const written = (example: unknown): unknown =>
  isObject(example)
    ? Object.fromEntries(
        Object.entries(example).map(([field, value]) => [field, value instanceof File ? value.name : value]),
      )
    : example;
