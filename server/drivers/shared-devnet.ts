import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import type { Log } from "../base/log.ts";
import { isDevnet } from "../devnet/evm/devnet.ts";
import { DevnetError } from "../devnet/evm/anvil.ts";

const KEY = "devnet_evm";
const COMES_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 250;

/** Where the devnet of this database is, and what it takes to watch it without keys. */
const placeSchema = z.object({ rpcUrl: z.string(), xpub: z.string(), dataDir: z.string() });
export type DevnetPlace = z.infer<typeof placeSchema>;

/** Tells the other processes on this database where the devnet is. */
export async function publishDevnet(database: Database, place: DevnetPlace): Promise<void> {
  const value = JSON.stringify(place);
  await database.kysely
    .insertInto("settings")
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

export async function findDevnet(database: Database): Promise<DevnetPlace | null> {
  const row = await database.kysely.selectFrom("settings").select("value").where("key", "=", KEY).executeTakeFirst();
  return row === undefined ? null : placeSchema.parse(row.value);
}

/** Waits for a worker to start the devnet; throws `DevnetError` when none does. */
export async function awaitDevnet(database: Database, log: Log): Promise<DevnetPlace> {
  const until = performance.now() + COMES_WITHIN_MS;
  for (let isFirst = true; performance.now() < until; isFirst = false) {
    const place = await findDevnet(database);
    if (place !== null && (await isDevnet(place.rpcUrl))) return place;
    if (isFirst) log.info("waiting for a worker to start the devnet");
    await wait(LOOK_EVERY_MS);
  }
  throw new DevnetError(
    "no worker has started the local Ethereum node of this database: start one with ROLES=worker, or set EVM_RPC_URL and EVM_XPUB",
  );
}
