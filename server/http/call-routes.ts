import type { FastifyInstance } from "fastify";
import { calls, type AnswerOf, type BodyOf, type Call, type CallName, type QueryOf } from "#contract/calls.ts";
import { CodedError, failureSchema } from "#contract/errors.ts";
import type { InProcessCall } from "#contract/ssr.ts";
import type { Accounts } from "../accounts/port.ts";
import { signedInBy, type Session } from "./bearer.ts";
import type { CallSeed } from "./idempotency-keys.ts";
import type { Idempotency } from "./idempotency.ts";
import { clientKey, type InternalCalls } from "./rate-limits.ts";

/** Who calls: `key` names the client for limits, never for rights; `seed` a call that may come again (contract §1). */
export type Caller = { key: string; traceId: string; signedIn: Session | null } & Partial<CallSeed>;
type CallerOf<Name extends CallName> = (typeof calls)[Name] extends { isForSignedIn: true }
  ? Caller & { signedIn: Session }
  : Caller;

/** One handler for each call of the contract: parsed query and body in, the call's answer out. */
export type Handlers = {
  [Name in CallName]: (given: {
    query: QueryOf<Name>;
    body: BodyOf<Name>;
    caller: CallerOf<Name>;
  }) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
};

export type CallParts = { idempotency: Idempotency; accounts: Pick<Accounts, "whoHas"> };

/** Makes the routes of all calls. */
export function addCallRoutes(app: FastifyInstance, handlers: Handlers, parts: CallParts): void {
  for (const name of callNames) addCallRoute(app, name, handlers[name], parts);
}

export const callNames = Object.keys(calls).filter((name): name is CallName => name in calls);

function addCallRoute<Name extends CallName>(
  app: FastifyInstance,
  name: Name,
  handler: Handlers[Name],
  { idempotency, accounts }: CallParts,
): void {
  const call: Call = calls[name];
  app.route({
    method: call.method,
    url: call.path,
    schema: {
      operationId: name,
      summary: call.summary,
      tags: [call.path.split("/")[3] ?? "service"],
      ...(call.query && { querystring: call.query }),
      ...(call.body && { body: call.body }),
      response: { 200: call.answer, "4xx": failureSchema, "5xx": failureSchema },
    },
    handler: async (request, reply) => {
      const signedIn = await signedInBy(request, accounts);
      if (signedIn === null && call.isForSignedIn) throw new CodedError("ERR_UNAUTHORIZED", "Sign in first");
      const run = async (seed?: CallSeed) =>
        handler({
          // The schemas above have parsed both: they are what the contract says.
          query: request.query as QueryOf<Name>,
          body: request.body as BodyOf<Name>,
          // Checked above for the calls whose type says that somebody is signed in.
          caller: { key: clientKey(request), traceId: request.id, signedIn, ...seed } as CallerOf<Name>,
        });
      if (!call.idempotent) return run();
      return idempotency.once({
        route: call.path,
        key: request.headers["idempotency-key"],
        body: request.body,
        run,
        reply,
      });
    },
  });
}

/** Calls a route of this process as a browser would, without the network and without being counted. */
export function createInProcessCall(app: FastifyInstance, internal: InternalCalls): InProcessCall {
  return async (name, { query, body }) => {
    const { method, path } = calls[name];
    const answer = await app.inject({
      method,
      url: path,
      headers: internal.headers,
      ...(query !== undefined && { query: toQuery(query) }),
      ...(body !== undefined && {
        payload: JSON.stringify(body),
        headers: { ...internal.headers, "content-type": "application/json" },
      }),
    });
    return { httpStatus: answer.statusCode, body: answer.json<unknown>() };
  };
}

/** A query as text; what a query can't hold is left out, and the call's own schema says what is missing. */
const toQuery = (query: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query ?? {}).flatMap(([name, value]: [string, unknown]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[name, `${value}`]] : [],
    ),
  );
