import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { BodyInput } from "#contract/calls.ts";
import type { ErrorCode, Failure } from "#contract/errors.ts";
import type { Order } from "#contract/order.ts";
import type { PairData } from "#contract/rate.ts";
import { Api, readFailure, type Reply, type Request } from "./api.ts";
import { freshDatabase, type TestDatabase } from "../database/database.ts";
import { applicationFor, bodyOf, rateOf } from "../scenarios/http-swap.ts";
import { ServerProcess } from "../processes/server-process.ts";
import { rowsOf } from "../database/stored-rows.ts";

export const CREATE = "/api/v1/orders/public/create";
export const RATE = "/api/v2/rates/public/one";
export const SET_EMAIL = "/api/v1/orders/public/set-email";

/** What a failure never shows: a place in our code, a query, a library. */
const LEAK =
  /node_modules|\.ts:\d|\bat (?:async )?[\w.]+ ?\(|\b(?:select|insert|update|delete)\b .*\b(?:from|into|set)\b|kysely|postgres/i;

export type Expected = { http: number; code: ErrorCode; fields?: readonly string[] };
export type Body = BodyInput<"createOrder">;

/** ERR_VALIDATION whose `data` names just these fields; any, when none is given. */
export const invalid = (...fields: string[]): Expected => ({
  http: 400,
  code: "ERR_VALIDATION",
  ...(fields.length > 0 && { fields }),
});
export const unprocessable: Expected = { http: 422, code: "ERR_UNPROCESSABLE_ENTITY" };
export const unreadable: Expected = { http: 400, code: "ERR_BAD_REQUEST" };
export const forbidden: Expected = { http: 403, code: "ERR_FORBIDDEN" };
export const unknownOrder: Expected = { http: 404, code: "ERR_NOT_FOUND_E" };
export const pairNotActive: Expected = { http: 422, code: "ERR_PAIR_NOT_ACTIVE" };

/** A real server for calls that it must refuse, with new rates for each test and an order of its own. */
export class RefusingServer {
  readonly #database: TestDatabase;
  readonly #server: ServerProcess;
  readonly api: Api;
  readonly order: Order;
  floating: PairData;
  fixed: PairData;

  private constructor(parts: {
    database: TestDatabase;
    server: ServerProcess;
    api: Api;
    order: Order;
    rates: [PairData, PairData];
  }) {
    this.#database = parts.database;
    this.#server = parts.server;
    this.api = parts.api;
    this.order = parts.order;
    [this.floating, this.fixed] = parts.rates;
  }

  static async start(): Promise<RefusingServer> {
    const database = await freshDatabase({ max: 2 });
    const server = await ServerProcess.start({
      DATABASE_URL: database.url,
      RATE_LIMIT_READS: "100000",
      RATE_LIMIT_WRITES: "100000",
    });
    const api = new Api(server.url);
    // Drifting prices would move the bounds between a quote and the refused call.
    for (const [slug, price] of [["eth", "3000"] as const, ["usdt-erc20", "1"] as const])
      await api.call("sandboxMarket", { body: { slug, price } });
    const order = await api.call("createOrder", await applicationFor(api));
    return new RefusingServer({ database, server, api, order, rates: await bothRates(api) });
  }

  async quoteAnew(): Promise<void> {
    [this.floating, this.fixed] = await bothRates(this.api);
  }

  rows(): Promise<Record<string, string>> {
    return rowsOf(this.#database);
  }

  url(path: string): string {
    return this.#server.url + path;
  }

  /** Sends it and checks the answer by contract §1; no row that a call may write may have changed. */
  async expectRefused(request: Request | (() => Promise<Reply>), expected: Expected): Promise<Failure> {
    const before = await this.rows();
    const reply = typeof request === "function" ? await request() : await this.api.send(request);
    expect(await this.rows()).toEqual(before);
    const failure = readFailure(reply);
    expect([reply.status, failure.status]).toEqual([expected.http, expected.code]);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    expect(failure.traceId).toMatch(/^[\w-]{16,}$/);
    expect(reply.text).not.toMatch(LEAK);
    if (expected.fields) expect(Object.keys(failure.data ?? {})).toEqual(expected.fields);
    return failure;
  }

  /** The valid call that the refused ones were made from succeeds: the refusals changed nothing. */
  async expectUnharmed(): Promise<void> {
    const before = await this.rows();
    await this.api.call("createOrder", { body: bodyOf(this.floating) });
    const between = await this.rows();
    expect(between).not.toEqual(before);
    await this.api.call("createOrder", { body: bodyOf(this.fixed) });
    expect(await this.rows()).not.toEqual(between);
    expect(await this.api.call("health", {})).toEqual({ status: "OK" });
    expect(this.#server.isRunning).toBe(true);
    expect(this.#server.output.filter((line) => /"level":"(?:error|fatal)"/.test(line))).toEqual([]);
  }

  creating(changes: Partial<Body>): Request {
    return { path: CREATE, json: { ...bodyOf(this.floating), ...changes } };
  }

  creatingFixed(changes: Partial<Body>): Request {
    return { path: CREATE, json: { ...bodyOf(this.fixed), ...changes } };
  }

  rating(changes: Record<string, string>): Request {
    const query = {
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      claimedDepositAmount: "0.5",
      ...changes,
    };
    return { method: "GET", path: RATE, query };
  }

  async end(): Promise<void> {
    await this.#server.end();
    await this.#database.drop();
  }
}

/** Starts one for the tests of this file; the returned function gives access to it. */
export function refusingServer(): () => RefusingServer {
  let started: RefusingServer | undefined;
  const server = () => {
    if (started === undefined) throw new Error("the server is there when tests run");
    return started;
  };
  beforeAll(async () => {
    started = await RefusingServer.start();
  });
  beforeEach(() => server().quoteAnew());
  afterAll(() => started?.end());
  return server;
}

const bothRates = (api: Api): Promise<[PairData, PairData]> =>
  Promise.all([rateOf(api), rateOf(api, { rateMode: "FIXED" })]);
