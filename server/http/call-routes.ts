import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { calls, pathOf, type Call, type CallName, type ParamsOf, type QueryOf } from "#contract/calls.ts";
import { CodedError, failureSchema } from "#contract/errors.ts";
import type { InProcessCall } from "#contract/site/ssr.ts";
import type { IsDirect } from "../base/direct-requests.ts";
import { reauthenticationNeeded } from "../base/sign-in-errors.ts";
import type { CallSeed, Handlers, Session, SignedIn } from "../base/routes.ts";
import { sharedText } from "../base/shared-answer.ts";
import { ACCESS_COOKIE, sessionCookies, withCookies } from "./cookies.ts";
import { acceptForms, readForm } from "./forms.ts";
import type { Idempotency } from "./idempotency.ts";
import { tagOf } from "./openapi/document.ts";
import { parseBody, writeByZod } from "./parsing.ts";
import { clientBlock, clientKey, clientNetwork } from "./security/client-names.ts";
import type { InternalCalls } from "./security/rate-limits.ts";
import { createWrittenAnswers, type AnswerVersion } from "./written-answers.ts";

export type CallParts = {
  /** The calls whose answers are the same for everyone, and what they are made of. */
  versions?: { [Name in CallName]?: AnswerVersion };
  idempotency: Idempotency;
  isDirect: IsDirect;
  /** Throws the CodedError for an access token that is expired or invalid. */
  authenticateToken(accessToken: string): Promise<SignedIn>;
};

/** Adds the routes of all calls. */
export function addCallRoutes(app: FastifyInstance, handlers: Handlers, parts: CallParts): void {
  const add = (scope: FastifyInstance, names: readonly CallName[]) => {
    for (const name of names) addCallRoute(scope, name, handlers[name], parts);
  };
  const addForms = (scope: FastifyInstance, names: readonly CallName[]) =>
    scope.register(async (forms) => {
      await acceptForms(forms);
      add(forms, names);
    });
  const open = callNames.filter((name) => !hasCookies(calls[name]));
  add(
    app,
    open.filter((name) => !isForm(calls[name])),
  );
  addForms(
    app,
    open.filter((name) => isForm(calls[name])),
  );
  withCookies(app, async (scope) => {
    const names = callNames.filter((name) => hasCookies(calls[name]));
    add(
      scope,
      names.filter((name) => !isForm(calls[name])),
    );
    await addForms(
      scope,
      names.filter((name) => isForm(calls[name])),
    );
  });
}

const isForm = (call: Call): boolean => call.isForm === true;

/** Calls of accounts, and those of others that count a session. */
const hasCookies = (call: Call): boolean =>
  call.isForSignedIn === true || call.usesSession === true || call.path.startsWith("/api/v1/users/");

const callNames = Object.keys(calls).filter((name): name is CallName => name in calls);

function addCallRoute<Name extends CallName>(
  app: FastifyInstance,
  name: Name,
  handler: Handlers[Name],
  { idempotency, authenticateToken, isDirect, versions = {} }: CallParts,
): void {
  const call: Call = calls[name];
  const write = writeByZod({ schema: call.answer, method: call.method, url: call.path });
  const isCookieRead = call.isForSignedIn === true || call.usesSession === true;
  const success = call.successStatus ?? 200;
  const form = call.isForm && call.body ? call.body : null;
  const version = versions[name];
  const written = version && createWrittenAnswers(version);
  // A text leaves in one write with its head; bytes would be a second one.
  const sendJson = (reply: FastifyReply, text: string) => reply.header("content-type", JSON_TYPE).send(text);
  app.route({
    method: call.method,
    url: call.path,
    ...(call.isSigned && { config: { keepsBody: true } }),
    schema: {
      operationId: name,
      summary: call.summary,
      tags: [tagOf(call)],
      ...(call.params && { params: call.params }),
      ...(call.query && { querystring: call.query }),
      ...(call.body && { body: call.body }),
      ...(call.isForm && { consumes: ["multipart/form-data"] }),
      response: { [success]: answerSchema(call), "4xx": failureSchema, "5xx": failureSchema },
    },
    // Its handler has the form parsed.
    ...(call.isForm && { validatorCompiler: () => (given: unknown) => ({ value: given }) }),
    // Before the query is parsed: an equal one was.
    ...(written && {
      preValidation: (request, reply, done) => {
        const known = request.headers.authorization === undefined ? written.find(request.url) : null;
        if (known === null) done();
        else void sendJson(reply, known);
      },
    }),
    handler: async (request, reply) => {
      const signedIn = await sessionOf(request, isCookieRead, authenticateToken);
      if (signedIn === null && call.isForSignedIn) throw new CodedError("ERR_UNAUTHORIZED", "Sign in first");
      if (signedIn?.isFresh === false && call.needsReauthentication) throw reauthenticationNeeded();
      if (call.isBulk && signedIn !== null) await app.countBulk(request, signedIn.userId.toString());
      const run = async (seed?: CallSeed) =>
        handler({
          // The schemas above have parsed them: they are what the contract says.
          params: request.params as ParamsOf<Name>,
          query: request.query as QueryOf<Name>,
          body: (form === null ? request.body : async () => parseBody(form, await readForm(request))) as Parameters<
            Handlers[Name]
          >[0]["body"],
          cookies: sessionCookies(request, reply),
          userAgent: request.headers["user-agent"] ?? null,
          header: (header) => headerOf(request, header),
          isDirect: () => isDirect(request),
          rawBody: request.rawBody,
          // Checked above for the calls whose type says that somebody is signed in.
          caller: { ...clientOf(request), traceId: request.id, signedIn, ...seed } as Parameters<
            Handlers[Name]
          >[0]["caller"],
        });
      if (written) {
        const madeOf = written.version();
        const text = write(await run());
        written.keep(request.url, madeOf, text);
        return sendJson(reply, text);
      }
      if (!call.idempotent) {
        const answer = await run();
        reply.code(success);
        if (call.mediaType !== undefined) return reply.type(`${call.mediaType}; charset=utf-8`).send(answer);
        const text = sharedText(answer, write);
        return text === null ? answer : sendJson(reply, text);
      }
      reply.code(success);
      return idempotency.once({
        success,
        route: call.path,
        scope: keyScope(request, signedIn),
        key: request.headers["idempotency-key"],
        body: request.body,
        run,
        reply,
      });
    },
  });
}

/** Null where it is absent, or there several times. */
const headerOf = ({ headers }: FastifyRequest, name: string): string | null => {
  const value = headers[name];
  return typeof value === "string" ? value : null;
};

/** As OpenAPI names it: JSON unless the call says another kind. */
const answerSchema = ({ answer, mediaType }: Call) =>
  mediaType === undefined ? answer : { content: { [mediaType]: { schema: answer } } };

function clientOf(request: FastifyRequest): { key: string; network?: string; block: string } {
  const network = clientNetwork(request);
  return { key: clientKey(request), ...(network !== null && { network }), block: clientBlock(request) };
}

/**
 * Whose Idempotency-Key it is (contract §1): the account's, or for a guest the browser's. What has no fingerprint belongs to the order
 * that it names, so that a phone may change its network in between, else to the address.
 */
function keyScope(request: FastifyRequest, signedIn: Session | null): string {
  if (signedIn !== null) return `account ${signedIn.userId}`;
  const { browserFingerprint, orderId } = request.body as { browserFingerprint?: unknown; orderId?: unknown };
  if (typeof browserFingerprint === "string" && browserFingerprint !== "") return `browser ${browserFingerprint}`;
  return typeof orderId === "string" ? `order ${orderId}` : `address ${clientKey(request)}`;
}

const JSON_TYPE = "application/json; charset=utf-8";

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/**
 * The session of the call's `Authorization`, whose invalid token fails the call, whatever it asks for; else that of the cookie, where the
 * call is one that counts it. Null without both.
 */
async function sessionOf(
  { headers, cookies }: FastifyRequest,
  isCookieRead: boolean,
  authenticateToken: CallParts["authenticateToken"],
): Promise<Session | null> {
  if (headers.authorization === undefined) {
    const accessToken = isCookieRead ? cookies[ACCESS_COOKIE] : undefined;
    if (accessToken === undefined || accessToken === "") return null;
    return { ...(await authenticateToken(accessToken)), accessToken };
  }
  const accessToken = BEARER.exec(headers.authorization)?.[1];
  if (accessToken === undefined) throw new CodedError("ERR_UNAUTHORIZED", "The authorization must be a bearer token");
  return { ...(await authenticateToken(accessToken)), accessToken };
}

/**
 * Calls a route of this process as a browser would, without the network and without being counted. `clientAddress`: of whoever asks for what
 * the call is made for, whose share of a partner's questions it takes.
 */
export const createInProcessCall =
  (app: FastifyInstance, internal: InternalCalls) =>
  (clientAddress?: string): InProcessCall =>
  async (name, { params, query, body }) => {
    const call = calls[name];
    const answer = await app.inject({
      method: call.method,
      url: pathOf(call, params),
      ...(clientAddress !== undefined && { remoteAddress: clientAddress }),
      headers: internal.headers,
      ...(query !== undefined && { query: toQuery(query) }),
      ...(body !== undefined && {
        payload: JSON.stringify(body),
        headers: { ...internal.headers, "content-type": "application/json" },
      }),
    });
    return { httpStatus: answer.statusCode, body: answer.json<unknown>() };
  };

/** A query as text; what a query can't hold is left out, and the call's own schema says what is missing. */
const toQuery = (query: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query ?? {}).flatMap(([name, value]: [string, unknown]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[name, `${value}`]] : [],
    ),
  );
