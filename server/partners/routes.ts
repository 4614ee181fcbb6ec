import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Call, partnerCalls, type PartnerCallName } from "#contract/calls.ts";
import { CodedError, failureSchema } from "#contract/errors.ts";
import type { Redis } from "../bus/index.ts";
import { jsonReader } from "../http/parsing.ts";
import { openKeyLimiter, type KeyLimits } from "../http/security/key-limits.ts";
import { clientAddress } from "../http/security/rate-limits.ts";
import { partnerHandlers, type PartnerParts } from "./handlers.ts";
import type { PartnerHandlers } from "./port.ts";
import { createAuthenticator, type AuthenticatorParts, type Partner } from "./signing/authenticate.ts";

export type PartnerRoutesParts = PartnerParts &
  AuthenticatorParts & {
    limits: KeyLimits;
    redis?: Redis | null;
  };

const NO_BYTES = Buffer.alloc(0);
/** Whose signed call it is, once its signature was checked. */
const partners = new WeakMap<FastifyRequest, Partner>();

/** The signed calls (contract §13). Nothing of a call is read before its signature. */
export async function addPartnerRoutes(app: FastifyInstance, parts: PartnerRoutesParts): Promise<void> {
  const authenticate = createAuthenticator(parts);
  const limit = await openKeyLimiter(app, parts.limits, parts.redis);
  const handlers = partnerHandlers(parts);
  const readJson = jsonReader(app);
  await app.register(async (scope) => {
    // The signature covers bytes: only when it is right are they read.
    scope.removeContentTypeParser("application/json");
    scope.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.addHook("preValidation", async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : NO_BYTES;
      const partner = await authenticate({
        method: request.method,
        path: request.raw.url ?? "",
        body,
        headers: request.headers,
        address: clientAddress(request),
        isCreation: false,
      });
      await limit(request, reply, partner.publicKey);
      partners.set(request, partner);
      if (body.length > 0) request.body = await parsed(request, body);
    });
    for (const name of callNames) addCall<PartnerCallName>(scope, name, handlers[name]);
  });

  const parsed = (request: FastifyRequest, body: Buffer): Promise<unknown> =>
    new Promise((resolve, reject) => {
      readJson(request, textOf(body), (error, value) => (error === null ? resolve(value) : reject(error)));
    });
}

const callNames = Object.keys(partnerCalls).filter((name): name is PartnerCallName => name in partnerCalls);

function addCall<Name extends PartnerCallName>(app: FastifyInstance, name: Name, handler: PartnerHandlers[Name]): void {
  const call: Call = partnerCalls[name];
  const success = call.successStatus ?? 200;
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
    handler: async (request, reply) => {
      reply.code(success).header("cache-control", "no-store");
      // The schemas above have parsed them: they are what the contract says.
      const { params, query, body } = request;
      return handler({ params, query, body, partner: partnerOf(request) } as Parameters<PartnerHandlers[Name]>[0]);
    },
  });
}

/** A route without the check above would answer nobody. */
function partnerOf(request: FastifyRequest): Partner {
  const partner = partners.get(request);
  if (partner === undefined) throw new Error("a call came past the check of its signature");
  return partner;
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (error) {
    throw new CodedError("ERR_BAD_REQUEST", "The body is not UTF-8", { cause: error });
  }
}
