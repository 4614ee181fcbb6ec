import { randomUUID } from "node:crypto";
import { STATUS_CODES, type Server } from "node:http";
import type { Socket } from "node:net";
import pg from "pg";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CodedError, type Failure } from "#contract/errors.ts";
import { OverloadError } from "../base/overload-error.ts";
import { isUniqueViolation } from "../db/transaction.ts";
import { unreadRequestHeaders } from "./security/security-headers.ts";

/** Turns anything thrown into the error that the caller gets (contract §1). */
function toCodedError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  if (isUniqueViolation(error)) {
    return new CodedError("ERR_PRISMA_CLIENT_KNOWN_REQUEST", "This conflicts with what is already stored", {
      cause: error,
    });
  }
  // Before the database: a body that is cut off ends with its connection's ECONNRESET too.
  const status = isFastifyError(error) ? error.statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500) return badRequest(status, error);
  if (isDatabaseAway(error)) {
    return new CodedError("ERR_SERVICE_UNAVAILABLE", "Try again in a moment", { retryAfterSeconds: 5, cause: error });
  }
  return new CodedError("ERR_INTERNAL_SERVER_ERROR", "Something went wrong on our side", { cause: error });
}

export const toFailure = (error: CodedError, traceId: string): Failure => ({
  status: error.code,
  message: error.message,
  ...(error.data && { data: error.data }),
  traceId,
});

/** The error handler: unknown errors are logged with their traceId and answered without details. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const coded = toCodedError(error);
  if (coded instanceof OverloadError) request.log.debug({ err: coded }, "there was no room for a request");
  else if (coded.httpStatus >= 500) request.log.error({ err: error }, "request failed");
  return sendFailure(coded, request, reply);
}

function sendFailure(error: CodedError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  return reply
    .code(error.httpStatus)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .serializer((failure: unknown) => JSON.stringify(failure))
    .send(toFailure(error, request.id));
}

const MESSAGES: Record<number, string> = {
  413: "The request is too large",
  415: "The body must be application/json",
};

const badRequest = (httpStatus: number, cause: unknown): CodedError =>
  new CodedError("ERR_BAD_REQUEST", MESSAGES[httpStatus] ?? "The request could not be read", { httpStatus, cause });

const isFastifyError = (error: unknown): error is FastifyError => error instanceof Error && "statusCode" in error;

const UNREACHABLE = new Set("ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT".split(" "));
/** What pg says of its own accord; the last is of a connection that ended between two statements. */
const CONNECTION_LOST =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client .* is not queryable$)/;

/**
 * The database server is down, full or shutting down (classes 08, 53, 57P), unreachable, or rolled back after a lock or statement
 * timeout or a serialization failure (55P03, 57014, class 40): nothing was changed.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|53|57P|57014|55P03|40001|40P01)/.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && UNREACHABLE.has(error.code)) return true;
  return CONNECTION_LOST.test(error.message);
}

const CLIENT_ERROR_STATUS: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers bytes that never became a request (not HTTP, too slow, headers too long) and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const httpStatus = CLIENT_ERROR_STATUS[error.code ?? ""] ?? 400;
  const { headers, body } = unreadAnswer(httpStatus);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus]}`, ...lines];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Node's own answer to an `Expect` that it does not know has none of our headers. */
export function answerUnknownExpectations(server: Server): void {
  server.on("checkExpectation", (_request, response) => {
    const { headers, body } = unreadAnswer(417);
    response.writeHead(417, headers).end(body);
  });
}

/** What is wrong before there is a route: its answer has the headers of every other one. */
export const answerFrameworkError = (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  answerError(error, request, reply.headers(unreadRequestHeaders));

function unreadAnswer(httpStatus: number): { headers: Record<string, string>; body: string } {
  const error = new CodedError("ERR_BAD_REQUEST", "The request could not be read", { httpStatus });
  const body = JSON.stringify(toFailure(error, randomUUID()));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": `${Buffer.byteLength(body)}`,
    connection: "close",
    ...unreadRequestHeaders,
  };
  return { headers, body };
}

/** Answers an unknown path with 404, a known path under another method with 405. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });

  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.get(request.url.split("?", 1)[0] ?? "");
    if (!allowed) return sendFailure(new CodedError("ERR_NOT_FOUND", "There is nothing here"), request, reply);
    reply.header("allow", [...allowed].sort().join(", "));
    return sendFailure(
      new CodedError("ERR_BAD_REQUEST", `${request.method} is not allowed here`, { httpStatus: 405 }),
      request,
      reply,
    );
  });
}
