import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";
import { calls } from "#contract/calls.ts";
import { RATES_EVENT } from "#contract/rate.ts";
import { startEmbeddedPostgres } from "../server/db/embedded.ts";
import { createLog } from "../server/base/log.ts";
import { startApp } from "./bench/app-server.ts";
import { openBareInserts } from "./bench/api/bare-inserts.ts";
import { compare, type Goals, type Round } from "./bench/api/comparison.ts";
import { openListeners } from "./bench/api/listeners.ts";
import { load, type Target } from "./bench/api/load.ts";
import { runBench } from "./bench/run-bench.ts";
import { createOrder, orderBody, RATE_PATH } from "./bench/sandbox-order.ts";
import { median } from "./bench/statistics.ts";
import { temporaryFolder } from "./bench/temporary-folder.ts";
import { buildIfOld } from "./lib/build.ts";

const { values: options } = parseArgs({
  options: {
    /** How long each single measurement takes. */
    seconds: { type: "string", default: "2" },
    sockets: { type: "string", default: "2000" },
  },
});
const seconds = Number(options.seconds);
const socketCount = Number(options.sockets);
const ROUNDS = 3;
const WARM_UP_SECONDS = 1;
const READERS = 100;
const CREATORS = 32;
const NO_LIMIT = String(1_000_000_000);

const CACHED: Goals = { perSecond: 10_000, p99: 50 };
/** The same answer for everyone: its bytes are made once. */
const SHARED: Goals = { ...CACHED, ratio: 0.5 };
const ORDER: Goals = { perSecond: 3_000, p99: 50, ratio: 0.25 };
const CREATION: Goals = { perSecond: 300, p99: 250, ratio: 0.5 };
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
    TRUST_PROXY: "1",
  });
  const bare = await startBareServer(resources);
  const { query } = await createOrder(url);

  const reads = [
    { name: "rates/one", path: RATE_PATH, goals: SHARED },
    { name: "instruments", path: calls.instruments.path, goals: SHARED },
    { name: "health", path: calls.health.path, goals: CACHED },
    { name: "public-info", path: `${calls.orderInfo.path}?${query}`, goals: ORDER },
  ];
  for (const { name, path, goals } of reads) {
    const bytes = (await (await fetch(url + path)).arrayBuffer()).byteLength;
    const rounds = await pairs({ url: url + path }, READERS, async () => {
      const floor = await load({ url: `${bare}/json/${bytes}` }, READERS, seconds);
      return floor.perSecond;
    });
    print(`${name}: ${READERS} connections; floor: node:http with as many bytes`, compare(name, rounds, goals));
  }

  const inserts = openBareInserts(resources, postgres.url);
  for (const isKeyed of [false, true]) {
    const name = isKeyed ? "creation with Idempotency-Key" : "creation";
    const key = randomUUID();
    const body = JSON.stringify(await orderBody(url));
    const creation: Target = {
      url: url + calls.createOrder.path,
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      ...(isKeyed && { headersOfEach: () => ({ "idempotency-key": randomUUID() }) }),
    };
    const { orderId } = await createOrder(url, isKeyed ? { "idempotency-key": key } : {});
    const rows = await inserts.rowsOf(orderId, isKeyed ? { idempotencyKey: key } : {});
    const rounds = await pairs(creation, CREATORS, () => inserts.measure(rows, seconds));
    print(
      `${name}: ${CREATORS} connections; floor: its ${rows.length} rows inserted in one transaction each`,
      compare(name, rounds, CREATION),
    );
  }

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
  print(`sockets: one rate to ${socketCount}, ${bytes} bytes; floor: one ready frame written to each`, [
    { name: "fan-out", value: median(results.map(({ perSecond }) => perSecond)), unit: "msg/s" },
    { name: "  p50 after the first", value: median(results.map(({ p50 }) => p50)), unit: "ms" },
    {
      name: "  p99 after the first",
      value: median(results.map(({ p99 }) => p99)),
      unit: "ms",
      goal: { atMost: BROADCAST_P99_MS },
    },
    { name: "  ratio to its floor", value: median(results.map(({ ratio }) => ratio)), unit: "×" },
  ]);
  console.log("\nload and server share this machine: compare the ratios, the rest is of this moment");
  return 0;
});

/** Measures the floor and the target in turns, after both were warmed up. */
async function pairs(target: Target, connections: number, measureFloor: () => Promise<number>): Promise<Round[]> {
  await load(target, connections, WARM_UP_SECONDS);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const floorPerSecond = await measureFloor();
    rounds.push({ ...(await load(target, connections, seconds)), floorPerSecond });
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

/** Starts the bare server in a process of its own, as the real one has; returns its origin. */
async function startBareServer(resources: AsyncDisposableStack): Promise<string> {
  const child = fork(fileURLToPath(new URL("./bench/api/bare-server.ts", import.meta.url)));
  const ended = once(child, "exit");
  resources.defer(async () => {
    child.kill();
    await ended;
  });
  const [address]: unknown[] = await once(child, "message");
  const { port } = z.object({ port: z.int() }).parse(address);
  return `http://127.0.0.1:${port}`;
}
