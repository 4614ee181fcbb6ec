import { parseArgs } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "../server/db/embedded.ts";
import { migrate } from "../server/db/migrate.ts";
import { createLog } from "../server/base/log.ts";
import { compare } from "./bench/api/comparison.ts";
import { measureCreation } from "./bench/engine/engine-creation.ts";
import type { Figure } from "./bench/figure.ts";
import { copyFinishedOrder } from "./bench/engine/finished-orders.ts";
import { openRecordedDatabase, type RecordedDatabase } from "./bench/engine/recorded-database.ts";
import { runBench } from "./bench/run-bench.ts";
import { median } from "./bench/statistics.ts";
import { steadyEngine, type SteadyEngine, type TickTimes } from "./bench/engine/steady-engine.ts";
import { temporaryFolder } from "./bench/temporary-folder.ts";

const { values: options } = parseArgs({
  options: {
    /** The largest number of finished orders. */
    orders: { type: "string", default: "1000000" },
  },
});
const most = Number(options.orders);
const SIZES = [1_000, 100_000, 1_000_000].filter((size) => size < most).concat(most);
const WARM_UP_TICKS = 20;
const TICKS = 200;
const TICKING_MS = 60_000;
const RATIO = 1.2;
const CREATION = { perSecond: 300, p99: 250, ratio: 0.5 };
/** A sequential scan is right for a table with fewer rows. */
const SMALL_TABLE_ROWS = 10_000;
const DUE_INDEXES = ["orders_due", "payouts_due", "deposits_open", "payouts_open"];
const LOOPS: readonly (readonly [keyof TickTimes, string])[] = [
  ["follower", "follower, one block"],
  ["orders", "runOrders, 10 due"],
  ["payouts", "runPayouts, 5 due"],
  ["idle", "runOrders, none due"],
];

type Sized = RecordedDatabase & { size: number; engine: SteadyEngine; times: TickTimes[] };

await runBench(async ({ resources, print }) => {
  const log = createLog({ level: "error" });
  // Without waiting for the disk, whose noise would hide the difference.
  const postgres = await startEmbeddedPostgres({ dataDir: temporaryFolder(resources), log, sync: false });
  resources.defer(() => postgres.stop());
  const creation = await measureCreation(resources, await emptyDatabase(postgres.url, "bench_creation"));
  print(
    `creation without HTTP; floor: its ${creation.rows} rows inserted in one transaction each`,
    compare("creation", creation.rounds, CREATION),
  );
  const all: Sized[] = [];
  for (const size of SIZES) {
    const startedAt = performance.now();
    all.push(await openSized(resources, postgres.url, size));
    console.log(`${size} finished orders made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }

  for (const { engine } of all) for (let made = 0; made < WARM_UP_TICKS; made += 1) await engine.tick();
  // In turns, so that a slow moment of the machine falls on every size.
  const endsAt = performance.now() + TICKING_MS;
  for (let made = 0; made < TICKS && performance.now() < endsAt; made += 1)
    for (const { engine, times } of all) times.push(await engine.tick());

  const [smallest] = all;
  const largest = all.at(-1);
  if (!smallest || !largest) throw new Error("there is no size to measure");
  for (const sized of all)
    print(
      `tick with ${sized.size.toLocaleString("en-US")} finished orders, medians of ${sized.times.length}`,
      tickFigures(sized, smallest),
    );
  print(`plans of a tick's own queries with ${largest.size.toLocaleString("en-US")}`, await planFigures(largest));
  return 0;
});

async function openSized(resources: AsyncDisposableStack, serverUrl: string, size: number): Promise<Sized> {
  const url = await emptyDatabase(serverUrl, `bench_${size}`);
  const recorded = openRecordedDatabase(resources, url);
  await migrate(recorded.database);
  const engine = await steadyEngine(recorded.database);
  await engine.finishOne();
  const superuser = new URL(url);
  superuser.username = "postgres";
  await copyFinishedOrder(superuser.href, size - 1);
  await engine.startActive();
  return { ...recorded, size, engine, times: [] };
}

async function emptyDatabase(serverUrl: string, name: string): Promise<string> {
  const admin = new pg.Client(serverUrl);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function tickFigures(sized: Sized, smallest: Sized): Figure[] {
  return LOOPS.flatMap(([loop, name]): Figure[] => {
    const middle = median(sized.times.map((times) => times[loop]));
    const ratio = middle / median(smallest.times.map((times) => times[loop]));
    return [
      { name, value: middle, unit: "ms" },
      ...(sized === smallest
        ? []
        : [{ name: `  to ${smallest.size}`, value: ratio, unit: "×" as const, goal: { atMost: RATIO } }]),
    ];
  });
}

async function planFigures({ plansOf, engine, database }: Sized): Promise<Figure[]> {
  const { rows } = await database.pool.query<{ relname: string }>(
    "select relname from pg_class where relkind = 'r' and reltuples >= $1",
    [SMALL_TABLE_ROWS],
  );
  const big = new Set(rows.map(({ relname }) => relname));
  const plans = await plansOf(engine.tick);
  const scanned = plans.flatMap(({ scannedTables }) => scannedTables).filter((table) => big.has(table));
  if (scanned.length > 0) console.log(`\nread by a sequential scan: ${scanned.join(", ")}`);
  const uses = (index: string) => plans.filter(({ indexes }) => indexes.includes(index)).length;
  return [
    { name: "queries", value: plans.length, unit: "" },
    { name: "big tables", value: big.size, unit: "" },
    { name: "big tables read from end to end", value: scanned.length, unit: "", goal: { atMost: 0 } },
    ...DUE_INDEXES.map((index): Figure => ({
      name: `queries over ${index}`,
      value: uses(index),
      unit: "",
      goal: { atLeast: 1 },
    })),
  ];
}
