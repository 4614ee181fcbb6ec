import * as z from "zod";
import { randomHex } from "../../base/secrets.ts";
import type { Database } from "../../db/database.ts";
import { readOrMakeSetting } from "../../db/settings.ts";

const SETTING = "sandbox_card_keys";
const KEY_BYTES = 32;

const storedSchema = z.object({ secret: z.hex(), partnerToken: z.hex() });

/** What the sandbox's card provider and its partner know each other by: made by the first process on a database, the same in every one. */
export async function openSandboxProviderKeys({ kysely }: Database): Promise<z.output<typeof storedSchema>> {
  const made = { secret: randomHex(KEY_BYTES), partnerToken: randomHex(KEY_BYTES) };
  return storedSchema.parse(await readOrMakeSetting(kysely, SETTING, made));
}
