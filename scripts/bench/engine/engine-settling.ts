import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import * as z from "zod";
import { createLog } from "../../../server/base/logging/log.ts";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import { migrate } from "../../../server/db/migrate.ts";
import { orderBody } from "../../../tests/support/scenarios/test-engine.ts";
import type { Figure } from "../figure.ts";
import { settlingEngine, type SettlingEngine } from "./settling-engine.ts";

const ORDERS = 300;
const SENT_SATOSHI = 500_000n;
const DESTINATION = "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59";
const RESERVE_DROPS = 1_000_000n;
const BLOCK_EVERY_MS = 250;
const SAMPLE_EVERY_MS = 50;
/** Clock ticks a second of /proc, on every Linux. */
const TICKS = 100;
const GIVE_UP_MS = 180_000;
const cpuSchema = z.object({ cpuMs: z.number() });

/** How many paid orders a number of worker processes settle in a second on one database, and what they wait for meanwhile. */
export async function measureSettling(
  resources: AsyncDisposableStack,
  url: string,
  workers: number,
): Promise<Figure[]> {
  const log = createLog({ level: "error" });
  const database = openDatabase(url, { max: 4, log, applicationName: "wherry-bench" });
  resources.defer(() => database.close());
  await migrate(database);
  const steady = await settlingEngine(database);
  await mine(steady);
  await payOrders(steady);
  const children = Array.from({ length: workers }, () =>
    fork(new URL("settling-worker.ts", import.meta.url), [url], { stdio: ["ignore", "ignore", "inherit", "ipc"] }),
  );
  resources.defer(async () => {
    for (const child of children) if (child.exitCode === null) child.kill();
  });
  await Promise.all(children.map((child) => once(child, "message")));
  const [ownCpu, databaseCpu] = [process.cpuUsage(), await databaseCpuMs(database)];
  const startedAt = performance.now();
  for (const child of children) child.send("begin");
  const waits = await untilSettled(steady, database);
  const elapsedMs = performance.now() - startedAt;
  const databaseMs = (await databaseCpuMs(database)) - databaseCpu;
  const own = process.cpuUsage(ownCpu);
  const workersMs = (await Promise.all(children.map(stop))).reduce((sum, one) => sum + one, 0);
  const cores = {
    workers: workersMs / elapsedMs,
    database: databaseMs / elapsedMs,
    chain: (own.user + own.system) / 1000 / elapsedMs,
  };
  console.log(`${workers} workers are limited by ${limitOf(cores, waits)}`);
  return [
    { name: `settled orders a second, ${workers} workers`, value: (ORDERS * 1000) / elapsedMs, unit: "" },
    { name: "  cores of the workers", value: cores.workers, unit: "shift" },
    { name: "  cores of the database", value: cores.database, unit: "shift" },
    { name: "  cores of chain and follower (this process)", value: cores.chain, unit: "shift" },
    { name: "  of the machine's cores", value: availableParallelism(), unit: "" },
    { name: "  sessions that waited for a lock, on average", value: waits.locks, unit: "shift" },
    { name: "  sessions that worked, on average", value: waits.active, unit: "shift" },
  ];
}

async function mine({ btc, xrp, engine }: SettlingEngine): Promise<void> {
  for (const chain of [btc, xrp]) await chain.controls.mine(1);
  for (const follower of engine.followers.values()) while (await follower.turn());
}

async function payOrders(steady: SettlingEngine): Promise<void> {
  // A payout under the reserve opens no account.
  await steady.xrp.controls.pay({ address: DESTINATION, memo: null, slug: "xrp", amount: RESERVE_DROPS });
  await mine(steady);
  for (let made = 1; made <= ORDERS; made += 1) {
    const body = orderBody({
      instrumentFrom: { currencyTitle: "BTC", networkTitle: "BTC", slug: "btc" },
      instrumentTo: { currencyTitle: "XRP", networkTitle: "XRP", slug: "xrp" },
      destinationAddress: DESTINATION,
      destinationAddressMemo: `${made}`,
      claimedDepositAmount: "0.005",
    });
    const { depositAddress } = await steady.engine.orderService.create(body, {
      key: `bench ${made}`,
      traceId: "bench",
    });
    await steady.btc.controls.pay({ address: depositAddress, memo: null, slug: "btc", amount: SENT_SATOSHI });
  }
}

/** `waitedFor`: the statement that waited for a lock most often. */
type Waits = { locks: number; active: number; waitedFor: string | null };

/** Mines until every order is completed, and samples what the workers' sessions do. */
async function untilSettled(steady: SettlingEngine, database: Database): Promise<Waits> {
  const endsAt = performance.now() + GIVE_UP_MS;
  const sums = { locks: 0, active: 0, samples: 0 };
  const waited = new Map<string, number>();
  let minedAt = 0;
  for (;;) {
    if (performance.now() > endsAt) throw new Error("the orders were not settled in time");
    if (performance.now() - minedAt > BLOCK_EVERY_MS) {
      await mine(steady);
      minedAt = performance.now();
    }
    const { rows } = await database.pool.query<{
      locks: number;
      active: number;
      queries: string[];
      completed: number;
    }>(`
      select count(*) filter (where wait_event_type = 'Lock')::int as locks, count(*)::int as active,
        coalesce(array_agg(query) filter (where wait_event_type = 'Lock'), '{}') as queries,
        (select count(*)::int from orders where state = 'completed') as completed
      from pg_stat_activity where datname = current_database() and application_name = 'wherry-bench-worker' and state = 'active'`);
    const [row] = rows;
    if (row === undefined) throw new Error("the database says nothing of its sessions");
    if (row.completed === ORDERS) {
      const [most] = [...waited].toSorted(([, one], [, other]) => other - one);
      const waitedFor = most?.[0].replaceAll(/\s+/g, " ").slice(0, 120) ?? null;
      return { locks: sums.locks / sums.samples, active: sums.active / sums.samples, waitedFor };
    }
    for (const query of row.queries) waited.set(query, (waited.get(query) ?? 0) + 1);
    sums.locks += row.locks;
    sums.active += row.active;
    sums.samples += 1;
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
  }
}

async function stop(child: ChildProcess): Promise<number> {
  const answer = once(child, "message");
  child.send("stop");
  const [message] = await answer;
  return cpuSchema.parse(message).cpuMs;
}

/** The processor time of every process of the database server, by /proc, and of those that have ended. */
async function databaseCpuMs(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const server = (await statOf(rows[0]?.pid ?? 0))?.parent;
  const all = await Promise.all(
    (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map((pid) => statOf(Number(pid))),
  );
  const own = all.filter((stat) => stat !== null).filter(({ pid, parent }) => pid === server || parent === server);
  const ticks = own.map((stat) => stat.ticks + (stat.pid === server ? stat.endedTicks : 0));
  return (ticks.reduce((sum, one) => sum + one, 0) * 1000) / TICKS;
}

type Stat = { pid: number; parent: number; ticks: number; endedTicks: number };

/** `endedTicks` are of its children that have ended. Null for a process that has ended itself. */
async function statOf(pid: number): Promise<Stat | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [fields[1], ...fields.slice(11, 15)];
    return { pid, parent, ticks: user + system, endedTicks: endedUser + endedSystem };
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return null;
    throw error;
  }
}

/** The first that explains it. */
function limitOf(
  cores: { workers: number; database: number; chain: number },
  { locks, active, waitedFor }: Waits,
): string {
  const used = cores.workers + cores.database + cores.chain;
  if (locks > active / 3) return `locks, most by: ${waitedFor}`;
  if (used > 0.85 * availableParallelism())
    return cores.workers > cores.database ? "the processor (workers)" : "the processor (database)";
  return "waiting: blocks, pauses of the loops, other programs on this machine";
}
