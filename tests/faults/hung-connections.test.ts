import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../server/db/database.ts";
import { createLog } from "../../server/base/logging/log.ts";
import { watchCreations } from "../../server/http/monitoring/creation-watch.ts";
import { freshDatabase } from "../support/database/database.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { createTestEngine, orderBody } from "../support/scenarios/test-engine.ts";

const CONNECTIONS = 8;
const client = { key: "test", traceId: "test" };

it("half of the connections hang: each fails one order at most, and the others are created", async () => {
  const own = await freshDatabase();
  // Ends last: a stopped process keeps the database from being dropped.
  onTestFinished(() => own.drop());
  const log = createLog({ level: "silent" });
  const limits = { query_timeout: 1_000 };
  const database = openDatabase(own.url, { max: CONNECTIONS, log, applicationName: "hung", limits });
  onTestFinished(() => database.close());
  const chain = new FakeChain();
  chain.mine(2);
  const creations = watchCreations();
  const { engine, settle } = await createTestEngine({ database, reader: chain, wallet: chain, creations });
  await settle();
  const create = () => engine.orderService.create(orderBody(), client);
  const createMany = (count: number) => Promise.allSettled(Array.from({ length: count }, create));
  await createMany(10 * CONNECTIONS);

  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => database.pool.connect()));
  const pids = await Promise.all(
    clients.map(async (one) => (await one.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0),
  );
  const stopped = pids.slice(0, CONNECTIONS / 2);
  onTestFinished(() => stopped.forEach((pid) => process.kill(pid, "SIGCONT")));
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  for (const one of clients) one.release();

  const during = await createMany(50);
  expect(during.filter(({ status }) => status === "rejected").length).toBeLessThanOrEqual(stopped.length);
  const after = await createMany(50);
  expect(after.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(creations.isFailingFor(1_000)).toBe(false);
});
