import * as z from "zod";
import type { Database } from "./database.ts";
import { readSetting, storeSetting } from "./settings.ts";

const KEY = "token_contracts";
const storedSchema = z.record(z.string(), z.string());

/** Remembers, by slug, the token contracts that a worker uses instead of the catalogue's, for programs that ask no node. */
export async function storeTokenContracts(
  { kysely }: Pick<Database, "kysely">,
  contracts: ReadonlyMap<string, string>,
): Promise<void> {
  await storeSetting(kysely, KEY, Object.fromEntries(contracts));
}

/** The token contracts that the workers of this database use; empty where the catalogue's own apply. */
export async function readTokenContracts({ kysely }: Pick<Database, "kysely">): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries(storedSchema.parse((await readSetting(kysely, KEY)) ?? {})));
}
