import * as z from "zod";
import { randomHex } from "../base/secrets.ts";
import type { Database } from "./database.ts";
import { readOrMakeSetting } from "./settings.ts";

const KEY = "log_key";
const KEY_BYTES = 32;

const storedSchema = z.object({ key: z.hex().length(2 * KEY_BYTES) });

/** The key of the log's hashes, which the first process on a database makes for all of them. */
export async function openLogKey({ kysely }: Pick<Database, "kysely">): Promise<Buffer> {
  const stored = await readOrMakeSetting(kysely, KEY, { key: randomHex(KEY_BYTES) });
  return Buffer.from(storedSchema.parse(stored).key, "hex");
}
