import { expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../../tests/support/eventually.ts";
import { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { simulatedChain } from "../../tests/support/chains/simulated-chain.ts";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { openShared } from "../bus/index.ts";
import type { Database } from "../db/database.ts";
import { createNetworkStatus, monitorReader } from "./network-status.ts";
import type { NetworkReader } from "./port.ts";
import { shareNetworkStatus, watchHeads } from "./watch-heads.ts";

const IDLE_MS = 3_600_000;
const WITHIN_MS = 20_000;

/** A process whose clock the test moves; it looks at its networks once an hour. */
async function aProcess(database: Database, reader: NetworkReader) {
  let now = 0;
  const status = createNetworkStatus({ log: database.log, now: () => now });
  const readers = new Map([["ETH", monitorReader(reader, status)]]);
  const { bus, close } = openShared({ redisUrl: null, databaseUrl: database.url }, database.log);
  const loops = await watchHeads({
    database,
    readers,
    simulatedNetworks: new Set(),
    status,
    pace: { head: () => IDLE_MS },
    log: database.log,
  });
  const end = shareNetworkStatus(status, loops, bus);
  onTestFinished(async () => {
    end();
    await Promise.all([...loops.values()].map((loop) => loop.stop()));
    await close();
  });
  const pass = (ms: number) => {
    now += ms;
  };
  return { status, readers, pass };
}

it("a process that polls seldom asks its node as soon as another one finds the network down", async () => {
  const database = await freshDatabase();
  // Ends last.
  onTestFinished(() => database.drop());
  let isDead = false;
  const chain = new FakeChain();
  const reader: NetworkReader = Object.assign(Object.create(chain), {
    head: async () => {
      if (isDead) throw new Error("no answer");
      return chain.head();
    },
  });
  const web = await aProcess(database, reader);
  const worker = await aProcess(database, reader);
  expect([web.status.isUp("ETH"), worker.status.isUp("ETH")]).toEqual([true, true]);
  isDead = true;
  const look = () => expect(worker.readers.get("ETH")?.head()).rejects.toThrow("no answer");
  await look();
  worker.pass(60_000);
  await look();
  expect(worker.status.isUp("ETH")).toBe(false);
  await eventually(
    "the web finds it too",
    () => {
      web.pass(10_000);
      return web.status.isUp("ETH") ? null : true;
    },
    WITHIN_MS,
  );
});

it("asks all simulated networks with two statements, and each node by itself", async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const titles = ["BTC", "XRP", "TRX"];
  const chains = await Promise.all(titles.map((title) => simulatedChain(database, title)));
  const node = new FakeChain();
  const status = createNetworkStatus({ log: database.log });
  const readers = new Map<string, NetworkReader>([
    ["ETH", monitorReader(node, status)],
    ...chains.map((chain) => [chain.networkTitle, monitorReader(chain.reader(), status)] as const),
  ]);
  const [statements, asked] = [vi.spyOn(database.pool, "connect"), vi.spyOn(node, "head")];
  onTestFinished(() => statements.mockRestore());
  const simulatedNetworks = new Set(titles);
  const pace = { head: () => IDLE_MS };
  const loops = await watchHeads({ database, readers, simulatedNetworks, status, pace, log: database.log });
  onTestFinished(async () => void (await Promise.all([...loops.values()].map((loop) => loop.stop()))));
  expect([...readers.keys()].map((title) => [title, status.isUp(title)])).toEqual(
    ["ETH", ...titles].map((title) => [title, true]),
  );
  expect(new Set(loops.values()).size).toBe(2);
  // The tips of the simulated networks, their heads, and the tip of the node's network.
  expect([statements.mock.calls.length, asked.mock.calls.length]).toEqual([3, 1]);
});
