import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, it, vi } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { OverloadError } from "../base/overload-error.ts";
import { answerError, isDatabaseAway } from "./errors.ts";

it.each([
  ["what a client has too much of", new OverloadError("Too many pictures are asked for right now", 5), 0],
  ["what fails with us", new CodedError("ERR_SERVICE_UNAVAILABLE", "It can't be read", { retryAfterSeconds: 5 }), 1],
])("%s is 503, and an error of the log: %s", (_, thrown, errors) => {
  const log = { error: vi.fn(), debug: vi.fn() };
  const reply = { send: vi.fn() };
  const written = Object.assign(reply, {
    code: vi.fn().mockReturnValue(reply),
    header: vi.fn().mockReturnValue(reply),
    type: vi.fn().mockReturnValue(reply),
    serializer: vi.fn().mockReturnValue(reply),
  });
  answerError(thrown, { id: "t", log } as unknown as FastifyRequest, written as unknown as FastifyReply);
  expect(written.code).toHaveBeenCalledWith(503);
  expect(written.header).toHaveBeenCalledWith("retry-after", 5);
  expect(log.error).toHaveBeenCalledTimes(errors);
});

it.each([
  ["a socket that the server has closed", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }), true],
  ["a connection that ended", new Error("Connection terminated unexpectedly"), true],
  [
    "one that ended between two statements",
    new Error("Client has encountered a connection error and is not queryable"),
    true,
  ],
  ["one that was closed", new Error("Client was closed and is not queryable"), true],
  ["an error of ours", new Error("this can't be"), false],
])("the database is away by %s", (_, error, isAway) => {
  expect(isDatabaseAway(error)).toBe(isAway);
});
