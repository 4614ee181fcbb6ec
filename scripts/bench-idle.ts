import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { commandOfProcess } from "../server/base/processes/process-identity.ts";
import { createLog } from "../server/base/logging/log.ts";
import { startEmbeddedPostgres } from "../server/db/embedded/postgres.ts";
import { startApp } from "./bench/app-server.ts";
import { processesBelow, type ProcessUse } from "./bench/idle/process-tree.ts";
import { runBench } from "./bench/run-bench.ts";
import { temporaryFolder } from "./bench/temporary-folder.ts";
import { buildIfOld } from "./lib/build.ts";

const { values: options } = parseArgs({
  options: {
    /** How long it is measured; an hour shows whether its memory grows. */
    minutes: { type: "string", default: "3" },
  },
});
const minutes = Number(options.minutes);
const WARM_UP_MS = 90_000;
const GOALS = { cpuPercent: 2, transactionsPerSecond: 10, growthBytes: 15_000_000 };

await runBench(async ({ resources, print }) => {
  await buildIfOld();
  const postgres = await startEmbeddedPostgres({
    dataDir: temporaryFolder(resources),
    log: createLog({ level: "error" }),
  });
  resources.defer(() => postgres.stop());
  await startApp(resources, { DATABASE_URL: postgres.url });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  resources.defer(() => client.end());

  await delay(WARM_UP_MS);
  const before = await sample(client);
  for (let minute = 1; minute <= minutes; minute += 1) {
    await delay(60_000);
    if (minutes > 5) console.log(`minute ${minute}: ${describe(await sample(client))}`);
  }
  const after = await sample(client);
  const seconds = (after.at - before.at) / 1000;
  const share = (one: Sample, other: Sample, is: (use: ProcessUse) => boolean) =>
    (100 * (cpuOf(other, is) - cpuOf(one, is))) / seconds;
  print(`an idle server with every network of the sandbox, over ${minutes} min`, [
    { name: "processor time", value: share(before, after, () => true), unit: "%", goal: { atMost: GOALS.cpuPercent } },
    { name: "  of the database", value: share(before, after, isDatabase), unit: "%" },
    {
      name: "transactions",
      value: (after.transactions - before.transactions) / seconds,
      unit: "tx/s",
      goal: { atMost: GOALS.transactionsPerSecond },
    },
    { name: "memory of the server", value: after.rss, unit: "MB" },
    { name: "  of its web process", value: rssOf(after, isWeb), unit: "MB" },
    { name: "  of its worker", value: rssOf(after, isWorker), unit: "MB" },
    { name: "  grown by", value: after.rss - before.rss, unit: "MB", goal: { atMost: GOALS.growthBytes } },
    { name: "  grown by, web", value: rssOf(after, isWeb) - rssOf(before, isWeb), unit: "MB" },
    { name: "  grown by, worker", value: rssOf(after, isWorker) - rssOf(before, isWorker), unit: "MB" },
    { name: "  the local Ethereum node, by", value: after.devnetRss - before.devnetRss, unit: "MB" },
  ]);
  return 0;
});

function isDatabase({ program }: ProcessUse): boolean {
  return program === "postgres";
}

/** It keeps every block of its life; no live network has one. */
function isDevnet({ program }: ProcessUse): boolean {
  return program.startsWith("anvil");
}

function isWeb({ pid }: ProcessUse): boolean {
  return commandOfProcess(pid)?.includes("server/main.ts") === true;
}

function isWorker({ pid }: ProcessUse): boolean {
  return commandOfProcess(pid)?.includes("server/worker-process.ts") === true;
}

function describe(one: Sample): string {
  const inMb = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
  return `web ${inMb(rssOf(one, isWeb))}, worker ${inMb(rssOf(one, isWorker))}`;
}

type Sample = { at: number; uses: ProcessUse[]; rss: number; devnetRss: number; transactions: number };

async function sample(client: pg.Client): Promise<Sample> {
  // Sessions report their transactions within a second of the last one.
  await client.query("select pg_stat_clear_snapshot()");
  const { rows } = await client.query<{ count: string }>(
    "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()",
  );
  const uses = processesBelow(process.pid);
  return {
    at: performance.now(),
    uses,
    rss: rssOf({ uses }, (use) => !isDatabase(use) && !isDevnet(use)),
    devnetRss: rssOf({ uses }, isDevnet),
    transactions: Number(rows[0]?.count),
  };
}

function rssOf({ uses }: Pick<Sample, "uses">, is: (use: ProcessUse) => boolean): number {
  return uses.reduce((sum, use) => (is(use) ? sum + use.rssBytes : sum), 0);
}

function cpuOf({ uses }: Sample, is: (use: ProcessUse) => boolean): number {
  return uses.reduce((sum, use) => (is(use) ? sum + use.cpuSeconds : sum), 0);
}
