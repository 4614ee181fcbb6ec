import * as z from "zod";
import { randomHex } from "../base/secrets.ts";
import type { Database } from "./database.ts";
import { readOrMakeSetting } from "./settings.ts";

const KEY_BYTES = 32;

const storedSchema = z.object({ key: z.hex().length(2 * KEY_BYTES) });

/** A secret that the first process on a database makes for all of them. */
async function openKey({ kysely }: Pick<Database, "kysely">, name: string): Promise<Buffer> {
  const stored = await readOrMakeSetting(kysely, name, { key: randomHex(KEY_BYTES) });
  return Buffer.from(storedSchema.parse(stored).key, "hex");
}

/** The key of the log's hashes. */
export const openLogKey = (database: Pick<Database, "kysely">): Promise<Buffer> => openKey(database, "log_key");

/** The key that makes a call's seed from its Idempotency-Key. */
export const openSeedKey = (database: Pick<Database, "kysely">): Promise<Buffer> => openKey(database, "seed_key");
