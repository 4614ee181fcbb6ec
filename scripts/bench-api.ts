import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";
import { calls } from "#contract/calls.ts";
import { RATES_EVENT } from "#contract/rate.ts";
import { startEmbeddedPostgres } from "../server/db/embedded/postgres.ts";
import { createLog } from "../server/base/logging/log.ts";
import { startApp } from "./bench/app-server.ts";
import { openBareInserts } from "./bench/api/bare-inserts.ts";
import { compare, type Goals, type Round } from "./bench/api/comparison.ts";
import { openListeners } from "./bench/api/listeners.ts";
import { signedQuotes } from "./bench/api/signed-calls.ts";
import { load, type Target } from "./bench/api/load.ts";
import type { Figure } from "./bench/figure.ts";
import { runBench } from "./bench/run-bench.ts";
import { createOrder, endRateLocks, orderBody, RATE_PATH } from "./bench/sandbox-order.ts";
import { median } from "../server/base/median.ts";
import { temporaryFolder } from "./bench/temporary-folder.ts";
import { buildIfOld } from "./lib/build.ts";

const { values: options } = parseArgs({
  options: {
    /** How long each single measurement takes. */
    seconds: { type: "string", default: "2" },
    sockets: { type: "string", default: "2000" },
    /** Only figures whose name begins so: creation, sockets, the name of a read. */
    only: { type: "string", default: "" },
  },
});
const seconds = Number(options.seconds);
const socketCount = Number(options.sockets);
const ROUNDS = 4;
const WARM_UP_SECONDS = 1;
const READERS = 100;
const CREATORS = 32;
const NO_LIMIT = String(1_000_000_000);

const CACHED: Goals = { perSecond: 10_000, p99: 50 };
/** The same answer for everyone: its bytes are made once. */
const SHARED: Goals = { ...CACHED, ratio: 0.5 };
const ORDER: Goals = { perSecond: 3_000, p99: 50, ratio: 0.25 };
const CREATION: Goals = { perSecond: 300, p99: 250, ratio: 0.5 };
const SIGNED: Goals = { perSecond: 1_000, p99: 250, ratio: 0.6 };
const BROADCAST_P99_MS = 500;

await runBench(async ({ resources, print }) => {
  await buildIfOld();
  const postgres = await startEmbeddedPostgres({
    dataDir: temporaryFolder(resources),
    log: createLog({ level: "error" }),
  });
  resources.defer(() => postgres.stop());
  const { url } = await startApp(resources, {
    DATABASE_URL: postgres.url,
    RATE_LIMIT_READS: NO_LIMIT,
    RATE_LIMIT_WRITES: NO_LIMIT,
    API_KEY_LIMIT_READS: NO_LIMIT,
    TRUST_PROXY: "1",
  });
  const bare = await startBareServer(resources, new URL("./bench/api/bare-server.ts", import.meta.url));
  const { query } = await createOrder(url);

  const reads = [
    { name: "rates/one", path: RATE_PATH, goals: SHARED },
    { name: "instruments", path: calls.instruments.path, goals: SHARED },
    { name: "health", path: calls.health.path, goals: CACHED },
    { name: "public-info", path: `${calls.orderInfo.path}?${query}`, goals: ORDER },
  ];
  for (const { name, path, goals } of reads.filter(isWanted)) {
    const bytes = (await (await fetch(url + path)).arrayBuffer()).byteLength;
    const rounds = await pairs({ url: url + path }, READERS, { url: `${bare}/json/${bytes}` });
    print(`${name}: ${READERS} connections; floor: node:http with as many bytes`, compare(name, rounds, goals));
  }

  if (isWanted({ name: "signed" })) {
    const { signed, unsigned } = await signedQuotes(url);
    const rounds = await pairs(signed, READERS, unsigned);
    print(
      `signed quotes: ${READERS} connections; floor: the same quote without a signature`,
      compare("signed", rounds, SIGNED),
    );
  }

  const inserts = openBareInserts(resources, postgres.url);
  const creations = [
    { name: "creation", isKeyed: false },
    { name: "creation with Idempotency-Key", isKeyed: true },
  ];
  for (const { name, isKeyed } of creations.filter(isWanted)) {
    // Each creation is promised its amount for a rate lock: those before have taken most of what the treasury has.
    await endRateLocks(url);
    const key = randomUUID();
    const body = JSON.stringify(await orderBody(url));
    const creation: Target = {
      url: url + calls.createOrder.path,
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      ...(isKeyed && { headersOfEach: () => ({ "idempotency-key": randomUUID() }) }),
    };
    const { orderId, bytes } = await createOrder(url, isKeyed ? { "idempotency-key": key } : {});
    const rows = await inserts.rowsOf(orderId, isKeyed ? { idempotencyKey: key } : {});
    const floor = {
      ...creation,
      url: await startBareServer(resources, new URL("./bench/api/bare-creations.ts", import.meta.url), {
        databaseUrl: postgres.url,
        bytes,
        rows,
      }),
    };
    const rounds = await pairs(creation, CREATORS, floor);
    const alone = await pairs(creation, CREATORS, () => inserts.measure(rows, seconds));
    print(
      `${name}: ${CREATORS} connections; floor: node:http that inserts its ${rows.length} rows in one transaction each`,
      [
        ...compare(name, rounds, CREATION),
        { name: "  ratio to the rows without HTTP", value: median(alone.map(ratioOf)), unit: "×" },
      ],
    );
  }

  if (isWanted({ name: "sockets" })) print(...(await measureSockets(resources, url, bare)));
  const loadAverage = (loadavg()[0] ?? Number.NaN).toFixed(1);
  console.log(
    `\nload and server share this machine (load average ${loadAverage}): compare the ratios, the rest is of this moment`,
  );
  return 0;
});

function ratioOf({ perSecond, floorPerSecond }: Round): number {
  return perSecond / floorPerSecond;
}

function isWanted({ name }: { name: string }): boolean {
  return name.startsWith(options.only);
}

async function measureSockets(
  resources: AsyncDisposableStack,
  url: string,
  bare: string,
): Promise<[heading: string, figures: Figure[]]> {
  const request = JSON.stringify({
    event: RATES_EVENT,
    params: Object.fromEntries(new URL(url + RATE_PATH).searchParams),
  });
  const bytes = (await (await fetch(url + RATE_PATH)).arrayBuffer()).byteLength;
  const socketUrl = `${url.replace("http", "ws")}/api/v2/ws`;
  const real = await openListeners(resources, { url: socketUrl, count: socketCount, request });
  const floor = await openListeners(resources, { url: bare.replace("http", "ws"), count: socketCount, request });
  const results = [];
  for (let round = 0; round < ROUNDS + 1; round += 1) {
    const floorResult = await floor.measure(() => fetch(`${bare}/broadcast/${bytes}`, { method: "POST" }));
    const realResult = await real.measure(() => movePrice(url, round));
    // The first one finds cold code.
    if (round > 0) results.push({ ...realResult, ratio: realResult.perSecond / floorResult.perSecond });
  }
  return [
    `sockets: one rate to ${socketCount}, ${bytes} bytes; floor: one ready frame written to each`,
    [
      { name: "fan-out", value: median(results.map(({ perSecond }) => perSecond)), unit: "msg/s" },
      { name: "  p50 after the first", value: median(results.map(({ p50 }) => p50)), unit: "ms" },
      {
        name: "  p99 after the first",
        value: median(results.map(({ p99 }) => p99)),
        unit: "ms",
        goal: { atMost: BROADCAST_P99_MS },
      },
      { name: "  ratio to its floor", value: median(results.map(({ ratio }) => ratio)), unit: "×" },
    ],
  ];
}

/**
 * Measures the target and its floor in turns, after both were warmed up. Each goes first in every other round: what one leaves behind is a
 * burden to the next one.
 */
async function pairs(target: Target, connections: number, floor: Target | (() => Promise<number>)): Promise<Round[]> {
  const measureFloor = async (): Promise<number> =>
    typeof floor === "function" ? floor() : (await load(floor, connections, seconds)).perSecond;
  await load(target, connections, WARM_UP_SECONDS);
  if (typeof floor !== "function") await load(floor, connections, WARM_UP_SECONDS);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % 2 === 0 ? await measureFloor() : null;
    const measured = await load(target, connections, seconds);
    rounds.push({ ...measured, floorPerSecond: first ?? (await measureFloor()) });
  }
  return rounds;
}

async function movePrice(url: string, round: number): Promise<void> {
  const response = await fetch(`${url}/sandbox/market`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ slug: "eth", price: String(3000 + round) }),
  });
  if (!response.ok) throw new Error(`the price could not be moved: ${await response.text()}`);
}

/** Starts a bare server in a process of its own, as the real one has; returns its origin. */
async function startBareServer(resources: AsyncDisposableStack, file: URL, job?: object): Promise<string> {
  const child = fork(fileURLToPath(file));
  const ended = once(child, "exit");
  resources.defer(async () => {
    child.kill();
    await ended;
  });
  if (job !== undefined) child.send(job);
  const [address]: unknown[] = await once(child, "message");
  const { port } = z.object({ port: z.int() }).parse(address);
  return `http://127.0.0.1:${port}`;
}
