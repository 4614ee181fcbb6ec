import * as z from "zod/mini";
import { calls, pathOf, sandboxCalls, type AnswerOf, type AnyCallName, type Call } from "#contract/calls.ts";
import { failureSchema, type Failure } from "#contract/errors.ts";
import type { CoinOrder } from "#contract/order.ts";
import type { CallInput } from "#contract/site/ssr.ts";

const allCalls: Record<AnyCallName, Call> = { ...calls, ...sandboxCalls };

/** An answer, not parsed. */
export type Reply = { status: number; headers: Headers; text: string };

export type Request = {
  method?: string;
  path: string;
  query?: Record<string, string>;
  /** Sent as it is. */
  text?: string;
  /** Sent as JSON. */
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
};

type GivenToCall = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** The server was reached and refused. */
export class Refusal extends Error {
  readonly httpStatus: number;
  readonly failure: Failure;

  constructor(reply: Pick<Reply, "status" | "text">) {
    super(`${reply.status} ${reply.text}`);
    this.httpStatus = reply.status;
    this.failure = readFailure(reply);
  }
}

export const readFailure = (reply: Pick<Reply, "text">): Failure => z.parse(failureSchema, JSON.parse(reply.text));

/** Orders of tests are between coins; tests of card orders check what they get. */
type Answer<Name extends AnyCallName> = Name extends "createOrder" | "orderInfo" ? CoinOrder : AnswerOf<Name>;

/** A client of the public API: every answer is checked against the contract's schema. */
export class Api {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async send({ method = "POST", path, query, text, json, form, headers }: Request): Promise<Reply> {
    const body = form ?? (json === undefined ? text : JSON.stringify(json));
    const reply = await fetch(`${this.url}${path}${query ? `?${new URLSearchParams(query).toString()}` : ""}`, {
      method,
      headers: { ...(body !== undefined && form === undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }

  /** Makes one call of the contract; throws `Refusal` when it is refused and a ZodError when the answer is not the contract's. */
  async call<Name extends AnyCallName>(
    name: Name,
    given: CallInput<Name> & { headers?: Record<string, string> },
  ): Promise<Answer<Name>> {
    const call = allCalls[name];
    const { params, query, body: json, headers }: GivenToCall = given;
    const reply = await this.send({ method: call.method, path: pathOf(call, params), query, json, headers });
    if (reply.status !== (call.successStatus ?? 200)) throw new Refusal(reply);
    // The schema of this very call has just read it.
    return z.parse(call.answer, call.mediaType === undefined ? JSON.parse(reply.text) : reply.text) as Answer<Name>;
  }
}
