import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CodedError } from "#contract/errors.ts";
import { CommitUnknownError } from "../db/transaction.ts";
import type { Log } from "../base/log.ts";
import { toCodedError, toFailure } from "./errors.ts";
import type { CallSeed, IdempotencyKeys } from "./idempotency-keys.ts";
import { invalidInput } from "./parsing.ts";

/** How long an equal call waits for the answer of the first. */
const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
const BEAT_MS = 2_000;

export type OnceRequest<Answer> = {
  route: string;
  /** The Idempotency-Key header; without it the call simply runs. */
  key: string | string[] | undefined;
  /** As parsed: what is unknown is no part of it any more. */
  body: unknown;
  /** The seed is the same for a call and for its repetition after a crash; without a key there is none. */
  run: (seed?: CallSeed) => Promise<Answer>;
  reply: { code(status: number): unknown };
};

/**
 * Runs a call that moves value once per route and key (contract §1): equal ones get the first answer, another body is
 * ERR_UNPROCESSABLE_ENTITY, and who has waited 10 s for a running one gets 409. Only answers are kept: a call that was refused
 * has changed nothing and may be tried again under its key.
 */
export type Idempotency = { once<Answer>(request: OnceRequest<Answer>): Promise<Answer> };

export function createIdempotency(
  keys: IdempotencyKeys,
  log: Log,
  timing = { patienceMs: PATIENCE_MS, beatMs: BEAT_MS },
): Idempotency {
  const attempt = async <Answer>(
    { route, run }: OnceRequest<Answer>,
    claim: Claim,
    seed: CallSeed,
  ): Promise<Answer> => {
    const beat = setInterval(() => {
      keys
        .beat(claim)
        .catch((error: unknown) => log.warn({ err: error, route }, "a running call could not be kept claimed"));
    }, timing.beatMs);
    try {
      const answer = await run(seed);
      await keep(claim, 200, answer);
      return answer;
    } catch (error) {
      if (hasUnknownOutcome(error)) await keep(claim, 500, toFailure(toCodedError(error), claim.runner));
      else await settle(keys.release(claim), "a refused call could not free its key");
      throw error;
    } finally {
      clearInterval(beat);
    }
  };

  const keep = (claim: Claim, status: number, answer: unknown) =>
    settle(keys.finish(claim, status, answer), "the answer of a call could not be kept under its key");

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
      const claim: Claim = {
        route: request.route,
        key: readKey(request.key),
        hash: hashOf(request.body),
        runner: randomUUID(),
      };
      const deadline = Date.now() + timing.patienceMs;
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        const seed = await keys.claim(claim);
        if (seed !== null) return attempt(request, claim, seed);
        const known = await keys.find(claim);
        if (known !== null && known.hash !== claim.hash) throw anotherBody();
        if (known !== null && known.status !== null) {
          request.reply.code(known.status);
          // Kept after it had passed the same schema.
          return known.answer as Answer;
        }
        if (Date.now() >= deadline) throw stillRunning();
        await delay(pause);
      }
    },
  };
}

export type Claim = { route: string; key: string; hash: string; runner: string };

function readKey(given: string | string[]): string {
  if (typeof given === "string" && given.length >= 1 && given.length <= 255) return given;
  throw invalidInput({ "Idempotency-Key": "must have 1 to 255 characters" });
}

const hashOf = (body: unknown): string => createHash("sha256").update(canonical(body)).digest("hex");

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

const hasUnknownOutcome = (error: unknown): boolean => error instanceof CommitUnknownError;

const anotherBody = (): CodedError =>
  new CodedError("ERR_UNPROCESSABLE_ENTITY", "This Idempotency-Key was used with another body");

const stillRunning = (): CodedError =>
  new CodedError("ERR_BAD_REQUEST", "The first call with this Idempotency-Key is still running", {
    httpStatus: 409,
    retryAfterSeconds: 2,
  });
