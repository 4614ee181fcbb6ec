import pg from "pg";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { CodedError, type Failure } from "#contract/errors.ts";

/** Turns whatever was thrown into the failure that the caller may know of (contract §1). */
export function toCodedError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  if (isUniqueViolation(error)) {
    return new CodedError("ERR_PRISMA_CLIENT_KNOWN_REQUEST", "This conflicts with what is already stored", {
      cause: error,
    });
  }
  if (isDatabaseAway(error)) {
    return new CodedError("ERR_SERVICE_UNAVAILABLE", "Try again in a moment", { retryAfterSeconds: 5, cause: error });
  }
  const status = isFastifyError(error) ? error.statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500) return badRequest(status, error);
  return new CodedError("ERR_INTERNAL_SERVER_ERROR", "Something went wrong on our side", { cause: error });
}

export const toFailure = (error: CodedError, traceId: string): Failure => ({
  status: error.code,
  message: error.message,
  ...(error.data && { data: error.data }),
  traceId,
});

/** The one error handler: unknown failures are logged with their traceId, and nothing of them leaves the house. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const coded = toCodedError(error);
  if (coded.httpStatus >= 500) request.log.error({ err: error }, "request failed");
  return sendFailure(coded, request, reply);
}

export function sendFailure(error: CodedError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
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

const UNIQUE_VIOLATION = "23505";

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;

/**
 * The server is gone, full or shutting down (classes 08, 53, 57P), can't be reached, or gave up waiting for a lock or for itself and
 * rolled back (55P03, 57014, class 40): nothing was changed.
 */
function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|53|57P|57014|55P03|40001|40P01)/.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  if ("code" in error && (error.code === "ECONNREFUSED" || error.code === "ECONNRESET")) return true;
  return /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated)/.test(error.message);
}
