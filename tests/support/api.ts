import * as z from "zod/mini";
import { calls, type AnswerOf, type BodyInput, type Call, type CallName, type QueryInput } from "#contract/calls.ts";
import { failureSchema, type Failure } from "#contract/errors.ts";

type Given<Name extends CallName> = (QueryInput<Name> extends undefined ? unknown : { query: QueryInput<Name> }) &
  (BodyInput<Name> extends undefined ? unknown : { body: BodyInput<Name> }) & { headers?: Record<string, string> };

/** An answer as it came. */
export type Reply = { status: number; headers: Headers; text: string };

export type Request = {
  method?: string;
  path: string;
  query?: Record<string, string>;
  /** Sent as it is. */
  text?: string;
  /** Sent as JSON. */
  json?: unknown;
  headers?: Record<string, string>;
};

/** The server was reached and refused. */
export class Refusal extends Error {
  readonly httpStatus: number;
  readonly failure: Failure;

  constructor(reply: Reply) {
    super(`${reply.status} ${reply.text}`);
    this.httpStatus = reply.status;
    this.failure = readFailure(reply);
  }
}

export const readFailure = (reply: Reply): Failure => z.parse(failureSchema, JSON.parse(reply.text));

/** What a client of the public API does, and nothing else: every answer is held against the contract's schema. */
export class Api {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async send({ method = "POST", path, query, text, json, headers }: Request): Promise<Reply> {
    const body = json === undefined ? text : JSON.stringify(json);
    const reply = await fetch(`${this.url}${path}${query ? `?${new URLSearchParams(query).toString()}` : ""}`, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }

  /** Makes one call of the contract; throws `Refusal` when it is refused and a ZodError when the answer is not the contract's. */
  async call<Name extends CallName>(name: Name, given: Given<Name>): Promise<AnswerOf<Name>> {
    const { method, path, answer }: Call = calls[name];
    const {
      query,
      body,
      headers,
    }: { query?: Record<string, string>; body?: unknown; headers?: Record<string, string> } = given;
    const reply = await this.send({
      method,
      path,
      ...(query && { query }),
      ...(body !== undefined && { json: body }),
      ...(headers && { headers }),
    });
    if (reply.status !== 200) throw new Refusal(reply);
    // The schema of this very call has just read it.
    return z.parse(answer, JSON.parse(reply.text)) as AnswerOf<Name>;
  }

  /** One of the sandbox's controls (contract §7). */
  async sandbox<Answer>(path: string, json: unknown, answer: z.ZodMiniType<Answer>): Promise<Answer> {
    const reply = await this.send({ path: `/sandbox/${path}`, json });
    if (reply.status !== 200) throw new Refusal(reply);
    return z.parse(answer, JSON.parse(reply.text));
  }
}
