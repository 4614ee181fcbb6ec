import { parseArgs } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "../server/db/embedded/postgres.ts";
import { createLog } from "../server/base/logging/log.ts";
import { compare } from "./bench/api/comparison.ts";
import { measureCreation } from "./bench/engine/engine-creation.ts";
import { measureManyDeposits } from "./bench/engine/many-deposits.ts";
import { measureSettling } from "./bench/engine/engine-settling.ts";
import type { Figure } from "./bench/figure.ts";
import { checkPlans, describeQuery, type CheckedQuery } from "./bench/engine/plan-check.ts";
import { scansOf } from "./bench/engine/plan-samples.ts";
import { recurringWork } from "./bench/engine/recurring-work.ts";
import { openSizedDatabase, type SizedDatabase } from "./bench/engine/sized-database.ts";
import { runBench } from "./bench/run-bench.ts";
import { median } from "../server/base/median.ts";
import type { TickTimes } from "./bench/engine/steady-engine.ts";
import { temporaryFolder } from "./bench/temporary-folder.ts";

const { values: options } = parseArgs({
  options: {
    /** The largest number of finished orders. */
    orders: { type: "string", default: "1000000" },
    /** The deposits of one order. */
    deposits: { type: "string", default: "10000" },
  },
});
const most = Number(options.orders);
const deposits = Number(options.deposits);
const SIZES = [1_000, 100_000, 1_000_000].filter((size) => size < most).concat(most);
const WORKERS = [1, 4];
const WARM_UP_TICKS = 20;
const TICKS = 200;
const TICKING_MS = 60_000;
const RATIO = 1.2;
const SAMPLES = 10;
const CREATION = { perSecond: 300, p99: 250, ratio: 0.5 };
const LOOPS: readonly (readonly [keyof TickTimes, string])[] = [
  ["follower", "follower, one block"],
  ["orders", "runOrders, 10 due"],
  ["payouts", "runPayouts, 5 due"],
  ["idle", "runOrders, none due"],
];

type Sized = SizedDatabase & { times: TickTimes[] };

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
  for (const workers of WORKERS)
    print(
      `settling paid orders, ${workers} worker processes on one database`,
      await measureSettling(resources, await emptyDatabase(postgres.url, `bench_settling_${workers}`), workers),
    );
  print(
    `an order that is paid by ${deposits.toLocaleString("en-US")} deposits`,
    await measureManyDeposits(resources, await emptyDatabase(postgres.url, "bench_deposits"), deposits),
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
  const sideOf = (sized: Sized) => ({ ...sized, work: recurringWork(sized.engine) });
  const queries = await checkPlans(sideOf(smallest), sideOf(largest));
  print(
    `recurring queries with ${largest.size.toLocaleString("en-US")} finished orders, to ${smallest.size.toLocaleString("en-US")}`,
    [...planFigures(smallest, queries), await sampledFigure(smallest, largest, queries)],
  );
  return 0;
});

async function openSized(resources: AsyncDisposableStack, serverUrl: string, size: number): Promise<Sized> {
  const url = await emptyDatabase(serverUrl, `bench_${size}`);
  return { ...(await openSizedDatabase(resources, url, size)), times: [] };
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

function planFigures(smallest: Sized, queries: readonly CheckedQuery[]): Figure[] {
  console.log(`\nwork | query | plan (rows read) | rows read: ${smallest.size} → ${most} finished orders`);
  for (const query of queries) console.log(describeQuery(query));
  const of = (kind: string) => queries.filter(({ faults }) => faults.some((fault) => fault.startsWith(kind))).length;
  return [
    { name: "queries", value: queries.length, unit: "" },
    { name: "that scan a growing table", value: of("scans"), unit: "", goal: { atMost: 0 } },
    { name: "that read more where more is finished", value: of("reads"), unit: "", goal: { atMost: 0 } },
  ];
}

/** The statistics are of some rows of a large table: which of them must not decide how a query reads. */
async function sampledFigure(small: Sized, large: Sized, queries: readonly CheckedQuery[]): Promise<Figure> {
  const found = new Set<string>();
  for (let round = 0; round < SAMPLES; round += 1) {
    await large.database.pool.query("analyze");
    for (const scan of await scansOf({ small: small.database, large: large.database }, queries)) found.add(scan);
  }
  for (const scan of found) console.log(`by the statistics of another sample: ${scan}`);
  return { name: `that scan one in ${SAMPLES} other samples`, value: found.size, unit: "", goal: { atMost: 0 } };
}
