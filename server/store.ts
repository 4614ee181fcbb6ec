import { apiKeysKey, secondFactorKey } from "./accounts/index.ts";
import { setLogKey } from "./base/logging/log-hash.ts";
import type { Log } from "./base/logging/log.ts";
import type { Closers } from "./base/processes/run-process.ts";
import type { Bus } from "./bus/index.ts";
import type { Config } from "./config/config.ts";
import { noticeRestore } from "./db/backup/restored.ts";
import { openClock } from "./db/clock.ts";
import { openDatabase, requireReachable, type Database } from "./db/database.ts";
import { openLogKey } from "./db/stored-keys.ts";
import { migrate } from "./db/migrate.ts";
import { inTransaction } from "./db/transaction.ts";
import { createPriceSnapshots } from "./rates/snapshots/price-snapshot.ts";
import { createSwitches } from "./treasury/index.ts";
import { openDocumentKey } from "./verification/index.ts";

const POOL_SIZE = 16;

/** The database, migrated and with the keys that it holds. */
export async function openStore(
  { databaseUrl, roles, ...config }: Config & { readonly databaseUrl: string },
  log: Log,
  closers: Closers,
): Promise<Database> {
  const database = openDatabase(databaseUrl, { max: POOL_SIZE, log, applicationName: "wherry" });
  closers.add(() => database.close());
  await requireReachable(database);
  await migrate(database);
  setLogKey(await openLogKey(database));
  await noticeRestore(database, log);
  if (roles.web) {
    await inTransaction(database, async (transaction) => {
      await secondFactorKey.open(transaction, config.secondFactorKey);
      await apiKeysKey.open(transaction, config.apiKeysKey);
    });
    await openDocumentKey(database, config);
  }
  return database;
}

/** State that several processes change: each change is published. */
export async function openSharedState(database: Database, bus: Bus, { sandbox: isSandbox }: Config, log: Log) {
  const publish = publishing(bus);
  const clock = await openClock(database, log, { isSandbox });
  const priceSnapshots = createPriceSnapshots(database);
  const switches = createSwitches(database);
  return {
    clock: { ...clock, advance: publish("clock", clock.advance) },
    priceSnapshots: { ...priceSnapshots, publish: publish("price-snapshots", priceSnapshots.publish) },
    switches: {
      ...switches,
      stop: publish("switches", switches.stop),
      release: publish("switches", switches.release),
      setRefundOnly: publish("switches", switches.setRefundOnly),
    },
  };
}

/** Wraps a change so that other processes reload at once instead of at their next poll. */
function publishing(bus: Bus) {
  return <Given extends unknown[], Result>(
    invalidation: Parameters<Bus["publish"]>[0],
    change: (...given: Given) => Promise<Result>,
  ) =>
    async (...given: Given): Promise<Result> => {
      const result = await change(...given);
      bus.publish(invalidation);
      return result;
    };
}
