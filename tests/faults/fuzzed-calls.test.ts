import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import * as z from "zod";
import { afterAll, beforeAll, expect, it } from "vitest";
import { calls, partnerCalls } from "#contract/calls.ts";
import { failureSchema } from "#contract/errors.ts";
import { socketRequestSchema } from "#contract/rate.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { CARD_TOKEN, fuzzAsGuest, Person, Program, type Sent } from "../support/fuzz/callers.ts";
import { TimeoutError } from "../support/eventually.ts";
import { GuestCalls, launch, PUSH_SERVICE, somebodysApplication } from "../support/fuzz/ready-calls.ts";
import {
  fuzzedRequests,
  listedCalls,
  readDocuments,
  type Documents,
  type Fuzzed,
  type ReadyCalls,
} from "../support/fuzz/requests.ts";
import { jsonSchema, spoiled, valuesOf } from "../support/fuzz/schema-arbitrary.ts";
import { Api, Refusal } from "../support/http/api.ts";
import { applicationFor, rateOf } from "../support/scenarios/http-swap.ts";
import {
  describeParts,
  memoryParts,
  settledMemory,
  totalMb,
  type MemoryPart,
} from "../support/processes/memory-parts.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import { freePort } from "../../scripts/lib/free-port.ts";

/** An hour of it is `npm run soak`. */
const MINUTES = process.env["SOAK"] === "on" ? Number(process.env["FUZZ_MINUTES"] ?? 60) : null;
const BATCH = 150;
const FRAMES = 60;
/** So many calls fill the caches; a busy machine brings fewer, and has warmed up in half of the time. */
const WARMING_CALLS = 75_000;
/** What a server that has warmed up may still gain, in MB: caches have bounds. */
const MAX_GROWTH_MB = 150;
const MEMORY_EVERY_MS = 300_000;
const MANY = "100000000";
const UNLIMITED = {
  RATE_LIMIT_READS: MANY,
  RATE_LIMIT_WRITES: MANY,
  RATE_LIMIT_SIGN_INS: MANY,
  API_KEY_LIMIT_READS: MANY,
  API_KEY_LIMIT_WRITES: MANY,
  // Each call comes from a network of its own, so that limits of clients, which have bounds in the code, refuse few.
  TRUST_PROXY: "loopback",
  SANDBOX_PUSH_SERVICE: PUSH_SERVICE,
};
/** Its memory is that of `npm start`: what Node and glibc choose by themselves keeps more of what a burst took. */
const AS_NPM_START = { MALLOC_ARENA_MAX: "1", NODE_OPTIONS: "--max-semi-space-size=16" };
/** A whole picture, and what begins like a document. */
const FILES = [
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  Buffer.from("%PDF-1.4\n%%EOF\n"),
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
];

let database: TestDatabase;
let server: ServerProcess;
let metricsPort: number;
let api: Api;
let documents: Documents;
let person: Person;
let program: Program;
let guests: GuestCalls;
let frames: fc.Arbitrary<string>;
let folder: string;

/** As shipped, but that refunds wait as outside of a sandbox: else none could be stopped. */
async function catalogueFile(): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), "wherry-fuzz-"));
  const shipped = z
    .looseObject({ terms: z.looseObject({}) })
    .parse(JSON.parse(await readFile("server/catalogue/catalogue.json", "utf8")));
  const path = join(folder, "catalogue.json");
  await writeFile(path, JSON.stringify({ ...shipped, terms: { ...shipped.terms, refundDelaySeconds: 600 } }));
  return path;
}

beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
  metricsPort = await freePort();
  const env = {
    DATABASE_URL: database.url,
    LOG_LEVEL: "warn",
    METRICS_PORT: `${metricsPort}`,
    ...UNLIMITED,
    CATALOGUE_FILE: await catalogueFile(),
  };
  server = await ServerProcess.start({ ...env, ...AS_NPM_START });
  api = new Api(server.url);
  guests = new GuestCalls(api, database);
  documents = await readDocuments(server.url);
  person = new Person(server.url, "person");
  const partner = new Person(server.url, "partner");
  await partner.ensure();
  program = new Program(server.url, await partner.key());
  const asked = fc.constant(QUOTE);
  const schema = jsonSchema.parse(z.toJSONSchema(socketRequestSchema, { io: "input", unrepresentable: "any" }));
  frames = fc.oneof(
    fc
      .oneof(asked, spoiled(asked), valuesOf(schema, (await roundNow()).known))
      .map((message) => JSON.stringify(message) ?? ""),
    fc.string({ unit: "binary", maxLength: 300 }),
  );
});
afterAll(async () => {
  await server.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** What exists on the server now, by the names that calls have for it, so that they get beyond the first check. */
async function roundNow(): Promise<{ known: Record<string, unknown[]>; ready: ReadyCalls }> {
  const application = await somebodysApplication(api);
  const order = await api.call("createOrder", application);
  const { orderId, webhookId } = await program.ensure(application.body);
  const waiting = await orderThatWaits();
  const own = await person.known();
  const { body: fixed } = await applicationFor(api, { amount: "0.05", rateMode: "FIXED" });
  ready = await readyNow(own, () => program.ready(webhookId, fixed));
  const known = {
    ...own,
    orderId: [order.orderId, orderId, waiting.orderId],
    webhookId: [webhookId, ...(own["webhookId"] ?? [])],
    destinationAddress: [order.destinationAddress, waiting.destinationAddress],
    refundAddress: [order.destinationAddress],
    instrumentFromSlug: ["eth", "btc", "xrp", "usd"],
    instrumentToSlug: ["usdt-erc20", "xmr", "ltc", "eur"],
    currencyTitle: ["USDT", "ETH", "XRP"],
    networkTitle: ["TRX", "ETH", "XRP"],
    claimedDepositAmount: ["0.5", "1", "100"],
    claimedPublicRate: [application.body?.claimedPublicRate],
    instrumentFrom: [application.body?.instrumentFrom],
    instrumentTo: [application.body?.instrumentTo],
    exchangeType: ["crypto", "fiat"],
    mercuryoBearerToken: [CARD_TOKEN],
    section: ["blog", "docs"],
    locale: ["en", "ru"],
    slug: ["confirmations", "eth"],
    symbol: ["eth", "btc"],
    range: ["24h", "1y"],
    instrumentFromCurrencyTitle: ["ETH"],
    instrumentFromNetworkTitle: ["ETH"],
    instrumentToCurrencyTitle: ["USDT"],
    instrumentToNetworkTitle: ["ETH"],
    rateMode: ["FLOATING", "FIXED"],
    initData: [launch()],
    accept: [true],
    url: ["http://127.0.0.1:9/", "https://receiver.example/"],
    message: ["Where is my order, please?"],
    payload: [{ data: { merchant_transaction_id: order.orderId, status: "paid", type: "buy" } }],
    file: FILES,
    facePhoto: FILES,
    frontPhoto: FILES,
    backendPhoto: FILES,
    birthDate: ["1990-01-01"],
    expireDate: ["2099-01-01"],
    issueCountry: ["FR"],
    firstName: ["Ann"],
    lastName: ["Lee"],
    identityNumber: ["AB123456"],
  };
  return { known, ready };
}

let ready: ReadyCalls = {};

/** Those of the round before, where the server refuses what a new one needs, or a busy machine is late with it. */
async function readyNow(own: Record<string, unknown[]>, ofProgram: () => Promise<ReadyCalls>): Promise<ReadyCalls> {
  try {
    return { ...(await guests.ready()), ...(await person.ready(api, own)), ...(await ofProgram()) };
  } catch (error) {
    const isRefused = error instanceof Refusal && error.httpStatus < 500;
    if (!isRefused && !(error instanceof TimeoutError)) throw error;
    console.info(`a round goes without new requests that are ready: ${error.message}`);
    return ready;
  }
}

let paid: { orderId: string; destinationAddress: string }[] = [];

/** An order whose customer has to choose: another sum than its fixed one was paid in the round before. */
async function orderThatWaits() {
  const { orderId, destinationAddress } = await api.call(
    "createOrder",
    await somebodysApplication(api, { rateMode: "FIXED" }),
  );
  await api.call("sandboxPay", { body: { orderId, amount: "0.4" } });
  const fresh = { orderId, destinationAddress };
  paid = [...paid, fresh].slice(-2);
  return paid[0] ?? fresh;
}

/** Sends it; throws where the server answers with a fault of its own, or with a body that is no failure of the contract. */
async function send(request: Fuzzed): Promise<number> {
  const { name, by, isPage } = request;
  const { status, text } = await sentBy(request);
  if (status >= 500) throw new Error(`${name} by a ${by} answered ${status}: ${text.slice(0, 500)}`);
  if (status >= 400 && !isPage && !z.safeParse(failureSchema, JSON.parse(text)).success)
    throw new Error(`${name} by a ${by} refused without the contract's body: ${text.slice(0, 500)}`);
  // A call has ended the session.
  if (by === "person" && (status === 401 || status === 418)) await person.ensure();
  return status;
}

function sentBy(request: Fuzzed): Promise<Sent> {
  if (request.by === "program") return program.fuzz(request);
  return request.by === "person" ? person.fuzz(request) : fuzzAsGuest(server.url, request);
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

/** Rows that unauthenticated calls make, each of which a call was accepted for. */
const KEPT = (
  "orders idempotency_keys users sessions push_subscriptions api_keys webhooks inquiries verifications rehearsals partner_orders " +
  "card_callbacks card_orders withdrawals mailed_codes"
).split(" ");

async function countOf(table: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(`select count(*) from ${table}`);
  return Number(rows[0]?.count);
}

it("every call of the contract is among the fuzzed ones", () => {
  expect(listedCalls(documents).sort()).toEqual([...Object.keys(calls), ...Object.keys(partnerCalls)].sort());
});

it("no request and no frame makes the server fail, and what it keeps is bounded by what it accepted", async () => {
  const until = MINUTES === null ? null : Date.now() + MINUTES * 60_000;
  const seed = Number(process.env["FUZZ_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  const statuses = new Map<number, number>();
  const reached = new Set<string>();
  let accepted = 0;
  let warm: MemoryPart[] | null = null;
  let nextMemoryAt = Date.now() + MEMORY_EVERY_MS;
  const run = async (round: number) => {
    await person.ensure();
    const { known, ready } = await roundNow();
    const requests = fuzzedRequests(documents, known, ready);
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const status = await send(request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 300) return;
        accepted += 1;
        reached.add(request.name);
      }),
      { seed: seed + round, numRuns: BATCH, endOnFailure: true },
    );
    const texts = fc.sample(frames, { seed: seed + round, numRuns: FRAMES });
    await sendFrames(texts);
  };
  let rounds = 0;
  while (until === null ? rounds < 4 : Date.now() < until) {
    await run(rounds);
    rounds += 1;
    const isHalf = until !== null && Date.now() > until - (MINUTES ?? 0) * 30_000;
    if (warm === null && (isHalf || rounds * BATCH >= WARMING_CALLS)) warm = await settledMemory(metricsPort);
    if (Date.now() > nextMemoryAt) {
      console.info(`after ${rounds * BATCH} calls: ${describeParts(await memoryParts(metricsPort))}`);
      nextMemoryAt += MEMORY_EVERY_MS;
    }
  }
  const last = warm === null ? await memoryParts(metricsPort) : await settledMemory(metricsPort);
  const asked = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  console.info(
    `fuzzed with seed ${seed}: ${asked} calls (${[...statuses].map(([status, count]) => `${status}: ${count}`).join(", ")}), memory at the end: ${describeParts(last)}${warm === null ? "" : `; once warm: ${describeParts(warm)}`}`,
  );
  const never = listedCalls(documents).filter((name) => !reached.has(name));
  console.info(`never accepted: ${never.join(", ") || "none"}`);
  // Both kinds of answers came: else the requests prove little.
  expect(accepted).toBeGreaterThan(asked / 20);
  expect(statuses.get(400)).toBeGreaterThan(asked / 20);
  const rows = await Promise.all(KEPT.map(async (table) => [table, await countOf(table)] as const));
  console.info(`accepted ${accepted}, rows ${rows.map(([table, count]) => `${table} ${count}`).join(", ")}`);
  // Beside the accepted calls: the accounts that sent them, and the orders of each round.
  const most = accepted + 10 * (person.count + rounds);
  expect(rows.filter(([, count]) => count > most)).toEqual([]);
  // Fewer calls in the whole time would prove nothing about growth.
  if (warm !== null) expect(totalMb(last) - totalMb(warm)).toBeLessThan(MAX_GROWTH_MB);
  await rateOf(api);
}, 3_900_000);
