import { openDatabase } from "../../../server/db/database.ts";
import { migrate } from "../../../server/db/migrate.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { createTestEngine, orderBody } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { openBareInserts } from "../api/bare-inserts.ts";
import type { Round } from "../api/comparison.ts";
import { quantile } from "../statistics.ts";

const ROUNDS = 3;
const SECONDS = 2;
const WARM_UP_SECONDS = 1;
const CREATORS = 32;
/** As many as the server's own pool has. */
const CONNECTIONS = 16;

/**
 * Orders created by the engine without HTTP, over a chain whose addresses cost nothing, and in turns with it the rows of one of them
 * inserted bare, one transaction each, on the same database.
 */
export async function measureCreation(
  resources: AsyncDisposableStack,
  url: string,
): Promise<{ rows: number; rounds: Round[] }> {
  const log = createLog({ level: "error" });
  const database = openDatabase(url, { max: CONNECTIONS, log, applicationName: "wherry-bench" });
  resources.defer(() => database.close());
  await migrate(database);
  const chain = new FakeChain();
  chain.mine(2);
  const { engine, settle } = await createTestEngine({ database, reader: chain, wallet: chain, log });
  await settle();
  const create = () => engine.orderService.create(orderBody(), { key: "bench", traceId: "bench" });

  const inserts = openBareInserts(resources, url);
  const rows = await inserts.rowsOf((await create()).orderId, {});
  await createFor(create, WARM_UP_SECONDS);
  await inserts.measure(rows, WARM_UP_SECONDS);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const floorPerSecond = await inserts.measure(rows, SECONDS);
    rounds.push({ ...(await createFor(create, SECONDS)), floorPerSecond });
  }
  return { rows: rows.length, rounds };
}

async function createFor(create: () => Promise<unknown>, seconds: number): Promise<Omit<Round, "floorPerSecond">> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const times: number[] = [];
  const creator = async (): Promise<void> => {
    for (let begun = performance.now(); begun < endsAt; begun = performance.now()) {
      await create();
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, creator));
  const perSecond = (times.length * 1000) / (performance.now() - startedAt);
  return { perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99), failed: 0 };
}
