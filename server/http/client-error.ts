import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { CodedError } from "#contract/errors.ts";
import { toFailure } from "./errors.ts";

const STATUS: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers what is no HTTP, too slow or too long to become a request, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const httpStatus = STATUS[error.code ?? ""] ?? 400;
  const failure = toFailure(
    new CodedError("ERR_BAD_REQUEST", "The request could not be read", { httpStatus }),
    randomUUID(),
  );
  const body = JSON.stringify(failure);
  const head = [
    `HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "x-content-type-options: nosniff",
    "strict-transport-security: max-age=63072000; includeSubDomains",
    "cache-control: no-store",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
