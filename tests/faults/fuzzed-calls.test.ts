import { execFileSync } from "node:child_process";
import fc from "fast-check";
import * as z from "zod";
import { afterAll, beforeAll, expect, it } from "vitest";
import { failureSchema } from "#contract/errors.ts";
import { socketRequestSchema } from "#contract/rate.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { Api } from "../support/http/api.ts";
import { applicationFor, rateOf } from "../support/scenarios/http-swap.ts";
import { jsonSchema, spoiled, valuesOf } from "../support/http/schema-arbitrary.ts";
import { ServerProcess } from "../support/processes/server-process.ts";

/** An hour of it is `npm run soak`. */
const MINUTES = process.env["SOAK"] === "on" ? Number(process.env["FUZZ_MINUTES"] ?? 60) : null;
const BATCH = 150;
const FRAMES = 60;
/** So many calls fill the caches: on a busy machine a tenth of the hour brings a quarter of them. */
const WARMING_CALLS = 75_000;
/** What a server that has warmed up may still gain, in MB: caches have bounds. */
const MAX_GROWTH_MB = 150;
const MEMORY_EVERY_MS = 300_000;
const UNLIMITED = { RATE_LIMIT_READS: "100000000", RATE_LIMIT_WRITES: "100000000", RATE_LIMIT_SIGN_INS: "100000000" };

const operationSchema = z.looseObject({
  operationId: z.string(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: jsonSchema }))
    .default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: jsonSchema })) }).optional(),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

type Fuzzed = { name: string; method: string; path: string; query: Record<string, unknown>; body: unknown };

let database: TestDatabase;
let server: ServerProcess;
let api: Api;
let requests: fc.Arbitrary<Fuzzed>;
let frames: fc.Arbitrary<string>;

beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
  server = await ServerProcess.start({ DATABASE_URL: database.url, LOG_LEVEL: "warn", ...UNLIMITED });
  api = new Api(server.url);
  const application = await applicationFor(api);
  const order = await api.call("createOrder", application);
  const known = {
    orderId: [order.orderId],
    destinationAddress: [order.destinationAddress],
    instrumentFromSlug: ["eth", "btc", "xrp"],
    instrumentToSlug: ["usdt-erc20", "xmr", "ltc"],
    currencyTitle: ["ETH", "XRP"],
    networkTitle: ["ETH", "XRP"],
    claimedDepositAmount: ["0.5", "1"],
    claimedPublicRate: [application.body?.claimedPublicRate],
    instrumentFrom: [application.body?.instrumentFrom],
    instrumentTo: [application.body?.instrumentTo],
  };
  requests = requestsOf(await documentOf(server.url), known);
  const asked = fc.constant(QUOTE);
  const schema = jsonSchema.parse(z.toJSONSchema(socketRequestSchema, { io: "input", unrepresentable: "any" }));
  frames = fc.oneof(
    fc.oneof(asked, spoiled(asked), valuesOf(schema, known)).map((message) => JSON.stringify(message) ?? ""),
    fc.string({ unit: "binary", maxLength: 300 }),
  );
});
afterAll(async () => {
  await server.end();
  await database.drop();
});

async function documentOf(url: string) {
  return documentSchema.parse(await (await fetch(`${url}/api/openapi.json`)).json());
}

/** Requests of every call: as its schemas say, and spoiled in one place. */
function requestsOf({ paths }: z.infer<typeof documentSchema>, known: Record<string, unknown[]>): fc.Arbitrary<Fuzzed> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: name, parameters, requestBody }]) => {
      const query = {
        type: "object",
        properties: Object.fromEntries(
          parameters.filter((one) => one.in === "query").map((one) => [one.name, one.schema]),
        ),
        required: parameters.filter((one) => one.in === "query" && one.required).map((one) => one.name),
      };
      const queries = either(valuesOf(query, known)).map((value) => ({ ...(value as object) }));
      // Forms are sent as JSON, which is refused: reading them has tests of its own.
      const content = Object.values(requestBody?.content ?? {})[0]?.schema;
      const bodies = content === undefined ? fc.constant(undefined) : either(valuesOf(content, known));
      return fc.record({
        name: fc.constant(name),
        method: fc.constant(method),
        path: fc.constant(path),
        query: queries,
        body: bodies,
      });
    }),
  );
  return fc.oneof(...all);
}

const either = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.oneof(values, spoiled(values));

/** Sends it; throws where the server answers with a fault of its own, or with a body that is no failure of the contract. */
async function send({ name, method, path, query, body }: Fuzzed): Promise<number> {
  const url = new URL(path, server.url);
  for (const [key, value] of Object.entries(query))
    url.searchParams.set(key, typeof value === "string" ? value : JSON.stringify(value));
  const answer = await fetch(url, {
    method: method.toUpperCase(),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body) ?? "", headers: { "content-type": "application/json" } }),
  });
  const text = await answer.text();
  if (answer.status >= 500) throw new Error(`${name} answered ${answer.status}: ${text.slice(0, 500)}`);
  if (answer.status >= 400 && !z.safeParse(failureSchema, JSON.parse(text)).success)
    throw new Error(`${name} refused without the contract's body: ${text.slice(0, 500)}`);
  return answer.status;
}

const QUOTE = {
  event: "pairs.rates",
  params: { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: "1" },
};

/** Sends frames over one socket, which may be closed by them; then another one must be answered. */
async function sendFrames(texts: readonly string[]): Promise<void> {
  const socket = await openSocket();
  for (const text of texts) if (socket.readyState === WebSocket.OPEN) socket.send(text);
  socket.close();
  const next = await openSocket();
  const answered = new Promise<string>((resolve, reject) => {
    next.addEventListener("message", ({ data }) => resolve(String(data)), { once: true });
    next.addEventListener("close", () => reject(new Error("the socket was closed in place of an answer")));
  });
  next.send(JSON.stringify(QUOTE));
  expect(await answered).toContain(QUOTE.event);
  next.close();
}

const openSocket = (): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/api/v2/ws`);
    socket.addEventListener("open", () => resolve(socket), { once: true });
    socket.addEventListener("error", () => reject(new Error("the socket could not be opened")), { once: true });
  });

/** Of the server and the processes that it started, but for PostgreSQL and the chain's node, in MB. */
function memoryMb(): number {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,rss=,comm="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/));
  const own = rows.filter(
    ([pid, ppid, , name = ""]) => (pid === `${server.pid}` || ppid === `${server.pid}`) && /node|MainThread/.test(name),
  );
  return own.reduce((sum, [, , kb]) => sum + Number(kb), 0) / 1024;
}

async function countOf(
  table: "orders" | "idempotency_keys" | "users" | "sessions" | "push_subscriptions",
): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(`select count(*) from ${table}`);
  return Number(rows[0]?.count);
}

it("no request and no frame makes the server fail, and what it keeps is bounded by what it accepted", async () => {
  const until = MINUTES === null ? null : Date.now() + MINUTES * 60_000;
  const seed = Number(process.env["FUZZ_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  const statuses = new Map<number, number>();
  let accepted = 0;
  let warm: number | null = null;
  const memory: number[] = [];
  let nextMemoryAt = Date.now() + MEMORY_EVERY_MS;
  const ordersBefore = await countOf("orders");
  const run = async (round: number) => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const status = await send(request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status < 300) accepted += 1;
      }),
      { seed: seed + round, numRuns: BATCH, endOnFailure: true },
    );
    const texts = fc.sample(frames, { seed: seed + round, numRuns: FRAMES });
    await sendFrames(texts);
  };
  for (let round = 0; until === null ? round < 4 : Date.now() < until; round += 1) {
    await run(round);
    if (warm === null && (round + 1) * BATCH >= WARMING_CALLS) warm = memoryMb();
    if (Date.now() > nextMemoryAt) {
      memory.push(Math.round(memoryMb()));
      nextMemoryAt += MEMORY_EVERY_MS;
    }
  }
  const asked = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  console.info(
    `fuzzed with seed ${seed}: ${asked} calls (${[...statuses].map(([status, count]) => `${status}: ${count}`).join(", ")}), memory ${Math.round(memoryMb())} MB${warm === null ? "" : `, ${Math.round(warm)} MB after ${WARMING_CALLS}, each five minutes ${memory.join(", ")}`}`,
  );
  // Both kinds of answers came: else the requests prove little.
  expect(accepted).toBeGreaterThan(asked / 20);
  expect(statuses.get(400)).toBeGreaterThan(asked / 20);
  const kept = await Promise.all(
    (["idempotency_keys", "users", "sessions", "push_subscriptions"] as const).map(countOf),
  );
  for (const rows of kept) expect(rows).toBeLessThanOrEqual(accepted);
  expect((await countOf("orders")) - ordersBefore).toBeLessThanOrEqual(accepted);
  // Fewer calls in the whole time would prove nothing about growth.
  if (until !== null) expect(memoryMb() - (warm ?? 0)).toBeLessThan(MAX_GROWTH_MB);
  await rateOf(api);
}, 3_900_000);
