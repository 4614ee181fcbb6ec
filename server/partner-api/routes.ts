import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Call, partnerCalls, type PartnerCallName, pathOf } from "#contract/calls.ts";
import { CodedError, failureSchema } from "#contract/errors.ts";
import type { Redis } from "../bus/index.ts";
import { createIsDirect, type IsDirect } from "../base/direct-requests.ts";
import type { CallSeed } from "../base/routes.ts";
import type { Database } from "../db/database.ts";
import { addFixedDocument } from "../http/fixed-document.ts";
import { createIdempotency, type Idempotency } from "../http/idempotency.ts";
import { createIdempotencyKeys } from "../http/idempotency-keys.ts";
import { invalidInput, jsonReader, writeByZod } from "../http/parsing.ts";
import { createWrittenAnswers, type AnswerVersion, type WrittenAnswers } from "../http/written-answers.ts";
import { openKeyLimiter, type KeyLimits } from "../http/security/key-limits.ts";
import { clientAddress, clientKey, clientNetwork } from "../http/security/client-names.ts";
import { partnerOpenApi } from "./openapi/document.ts";
import { partnerHandlers, type PartnerParts } from "./handlers.ts";
import type { Caller, PartnerHandlers } from "./port.ts";
import { createAuthenticator, type AuthenticatorParts } from "./signing/authenticate.ts";

export type PartnerRoutesParts = PartnerParts &
  AuthenticatorParts & {
    database: Database;
    /** What the answers that are the same for every partner are made of. */
    versions?: { [Name in PartnerCallName]?: AnswerVersion };
    publicUrl: string;
    limits: KeyLimits;
    redis?: Redis | null;
  };

const NO_BYTES = Buffer.alloc(0);

declare module "fastify" {
  interface FastifyRequest {
    /** Whose signed call it is, once its signature was checked. */
    partner: Caller | null;
  }
}

/** The signed calls (contract §13). Nothing of a call is read before its signature. */
export async function addPartnerRoutes(app: FastifyInstance, parts: PartnerRoutesParts): Promise<void> {
  const authenticate = createAuthenticator(parts);
  const limit = await openKeyLimiter(app, parts.limits, parts.redis);
  const handlers = partnerHandlers(parts);
  const idempotency = createIdempotency(createIdempotencyKeys(parts.database), parts.database.log);
  const readJson = jsonReader(app);
  const isDirect = createIsDirect(parts.publicUrl);
  addFixedDocument(app, "/api/v2/partner/openapi.json", () => partnerOpenApi(parts.publicUrl));
  await app.register(async (scope) => {
    scope.decorateRequest("partner", null);
    // The signature covers bytes: only when it is right are they read.
    scope.removeContentTypeParser("application/json");
    scope.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.addHook("preValidation", async (request, reply) => {
      if (hasUnreadBody(request)) throw new CodedError("ERR_BAD_REQUEST", `A ${request.method} has no body`);
      const body = Buffer.isBuffer(request.body) ? request.body : NO_BYTES;
      const partner = await authenticate({
        method: request.method,
        path: request.raw.url ?? "",
        body,
        headers: request.headers,
        address: clientAddress(request),
        isCreation: request.method === "POST" && request.routeOptions.url === partnerCalls.partnerCreateOrder.path,
      });
      await limit(request, reply, partner.publicKey);
      const { userId, publicKey } = partner;
      request.partner = { userId, publicKey, network: clientNetwork(request) ?? clientKey(request) };
      if (body.length > 0) request.body = await parsed(request, body);
    });
    for (const name of callNames) {
      const version = parts.versions?.[name];
      addCall<PartnerCallName>(scope, name, handlers[name], {
        idempotency,
        isDirect,
        written: version && createWrittenAnswers(version),
      });
    }
  });

  const parsed = (request: FastifyRequest, body: Buffer): Promise<unknown> =>
    new Promise((resolve, reject) => {
      readJson(request, textOf(body), (error, value) => (error === null ? resolve(value) : reject(error)));
    });
}

const callNames = Object.keys(partnerCalls).filter((name): name is PartnerCallName => name in partnerCalls);

function addCall<Name extends PartnerCallName>(
  app: FastifyInstance,
  name: Name,
  handler: PartnerHandlers[Name],
  {
    idempotency,
    isDirect,
    written,
  }: { idempotency: Idempotency; isDirect: IsDirect; written: WrittenAnswers | undefined },
): void {
  const call: Call = partnerCalls[name];
  const success = call.successStatus ?? 200;
  const write = writeByZod({ schema: call.answer, method: call.method, url: call.path });
  const sendWritten = (reply: FastifyReply, text: string) =>
    reply.header("cache-control", "no-store").header("content-type", JSON_TYPE).send(text);
  app.route({
    method: call.method,
    url: call.path,
    schema: {
      hide: true,
      ...(call.params && { params: call.params }),
      ...(call.query && { querystring: call.query }),
      ...(call.body && { body: call.body }),
      response: { [success]: call.answer, "4xx": failureSchema, "5xx": failureSchema },
    },
    // After the signature, and before the query is parsed: an equal one was.
    ...(written && {
      preValidation: (request, reply, done) => {
        const known = written.find(request.url);
        if (known === null) done();
        else void sendWritten(reply, known);
      },
    }),
    handler: async (request, reply) => {
      reply.code(success).header("cache-control", "no-store");
      // The schemas above have parsed them: they are what the contract says.
      const { params, query, body, id: traceId } = request;
      const partner = partnerOf(request);
      const run = async (seed?: CallSeed) =>
        handler({ params, query, body, partner, traceId, seed, isDirect: () => isDirect(request) } as Parameters<
          PartnerHandlers[Name]
        >[0]);
      if (written) {
        const madeOf = written.version();
        const text = write(await run());
        written.keep(request.url, madeOf, text);
        return sendWritten(reply, text);
      }
      if (!call.idempotent) return run();
      const key = request.headers["idempotency-key"];
      // A repeated creation would cost its customer a second deposit.
      if (key === undefined && name === "partnerCreateOrder") throw invalidInput({ "Idempotency-Key": "is needed" });
      return idempotency.once({
        success,
        // With the order in it: equal keys for two orders are two calls. However its path was written.
        route: pathOf(call, params as Record<string, string>),
        scope: `account ${partner.userId}`,
        key,
        body,
        run,
        reply,
      });
    },
  });
}

const JSON_TYPE = "application/json; charset=utf-8";

/** Nobody reads the body of a GET, so that its signature would cover something else than what was sent. */
function hasUnreadBody({ method, headers }: FastifyRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** A route without the check above would answer nobody. */
function partnerOf(request: FastifyRequest): Caller {
  if (request.partner === null) throw new Error("a call came past the check of its signature");
  return request.partner;
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (error) {
    throw new CodedError("ERR_BAD_REQUEST", "The body is not UTF-8", { cause: error });
  }
}
