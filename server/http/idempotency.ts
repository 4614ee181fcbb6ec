import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CodedError } from "#contract/errors.ts";
import { sha256 } from "../base/secrets.ts";
import { CommitUnknownError } from "../db/transaction.ts";
import type { Log } from "../base/logging/log.ts";
import type { CallSeed } from "../base/routes.ts";
import type { Attempt, IdempotencyKeys } from "./idempotency-keys.ts";
import { invalidInput } from "./parsing.ts";

/** How long an equal call waits for the answer of the first. */
const WAIT_MS = 10_000;
const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 250;
const RENEW_EVERY_MS = 2_000;
/** Within a lease: an equal call waits for the rest of it. */
const RETRY_SECONDS = 5;

/** @internal Exported for its tests. */
export type OnceRequest<Answer> = {
  route: string;
  /** Who calls: equal keys of two clients are two calls. */
  scope: string;
  /** The Idempotency-Key header; without it the call simply runs. */
  key: string | string[] | undefined;
  /** As parsed: what is unknown is no part of it any more. */
  body: unknown;
  /** The seed is the same for a call and for its repetition after a crash; without a key there is none. */
  run: (seed?: CallSeed) => Promise<Answer>;
  /** The HTTP status of success; 200 unless given. */
  success?: number;
  reply: { code(status: number): unknown };
};

/**
 * Runs a call that moves value once per route, client and key (contract §1): equal ones get the first answer, another body is
 * ERR_UNPROCESSABLE_ENTITY, and who has waited 10 s for a running one gets 409. Only answers are stored: a call that was refused
 * has changed nothing and may be tried again under its key, and so may one whose commit got no reply (503).
 */
export type Idempotency = { once<Answer>(request: OnceRequest<Answer>): Promise<Answer> };

export function createIdempotency(
  keys: IdempotencyKeys,
  log: Log,
  timing = { waitMs: WAIT_MS, renewEveryMs: RENEW_EVERY_MS },
): Idempotency {
  const run = async <Answer>(request: OnceRequest<Answer>, attempt: Attempt, seed: CallSeed): Promise<Answer> => {
    const renewal = setInterval(() => {
      keys
        .renew(attempt)
        .catch((error: unknown) =>
          log.warn({ err: error, route: request.route }, "the lease of a running call could not be renewed"),
        );
    }, timing.renewEveryMs);
    try {
      const answer = await request.run(seed);
      const finished = keys.finish(attempt, request.success ?? 200, answer);
      await settle(finished, "the answer of a call could not be stored under its key");
      return answer;
    } catch (error) {
      // Its lease stays: once that has ended, the next equal call runs under its seed and finds what was stored.
      if (error instanceof CommitUnknownError) throw outcomeUnknown(error);
      await settle(keys.release(attempt), "the key of a refused call could not be released");
      throw error;
    } finally {
      clearInterval(renewal);
    }
  };

  /** The call itself is over: what becomes of its key no longer changes its answer. */
  const settle = async (work: Promise<void>, problem: string): Promise<void> => {
    try {
      await work;
    } catch (error) {
      log.error({ err: error }, problem);
    }
  };

  return {
    async once<Answer>(request: OnceRequest<Answer>): Promise<Answer> {
      if (request.key === undefined) return request.run();
      const attempt: Attempt = {
        route: request.route,
        key: storedKey(request.scope, readKey(request.key)),
        hash: hashOf(request.body),
        runner: randomUUID(),
      };
      const deadline = Date.now() + timing.waitMs;
      for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
        const seed = await keys.lease(attempt);
        if (seed !== null) return run(request, attempt, seed);
        const known = await keys.find(attempt);
        if (known !== null && known.hash !== attempt.hash) throw anotherBody();
        if (known !== null && known.status !== null) {
          request.reply.code(known.status);
          // Stored after it had passed the same schema.
          return known.answer as Answer;
        }
        if (Date.now() >= deadline) throw stillRunning();
        await delay(pause);
      }
    },
  };
}

function readKey(given: string | string[]): string {
  if (typeof given === "string" && given.length >= 1 && given.length <= 255) return given;
  throw invalidInput({ "Idempotency-Key": "must have 1 to 255 characters" });
}

/** The client is stored as a digest: its address and what its browser says are nobody's business. */
const storedKey = (scope: string, key: string): string => `${sha256(scope).toString("base64url")} ${key}`;

const hashOf = (body: unknown): string => sha256(canonical(body)).toString("hex");

/** One text for equal bodies: names in order, and nothing where a value is null or absent, which mean the same (contract §1). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return `{${fields
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
    .join(",")}}`;
}

const outcomeUnknown = (cause: CommitUnknownError): CodedError =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "Try again with the same Idempotency-Key", {
    retryAfterSeconds: RETRY_SECONDS,
    cause,
  });

const anotherBody = (): CodedError =>
  new CodedError("ERR_UNPROCESSABLE_ENTITY", "This Idempotency-Key was used with another body");

const stillRunning = (): CodedError =>
  new CodedError("ERR_BAD_REQUEST", "The first call with this Idempotency-Key is still running", {
    httpStatus: 409,
    retryAfterSeconds: 2,
  });
