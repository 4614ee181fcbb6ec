import { sql } from "kysely";
import type { NetworkWallet } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";

/** Stores where a hot wallet pays from, for processes without keys. Earlier addresses stay: they are ours too. */
export async function storeHotAddress(
  database: Database,
  wallet: Pick<NetworkWallet, "networkTitle" | "hotAddress">,
): Promise<void> {
  await sql`
    insert into hot_addresses (network, address) values (${wallet.networkTitle}, ${wallet.hotAddress()})
    on conflict do nothing`.execute(database.kysely);
}
