import { sql, type Kysely } from "kysely";
import { readTop } from "../../chains/follower/index.ts";
import type { NetworkReader } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";

/**
 * Why nothing is booked from what the node of a network shows, as far as the rows say: payments since a backup are in no row until its
 * blocks are read and each is decided, and a chain that changed below the stored blocks is another one. Null where nothing speaks against it.
 */
export async function unreadReason(db: Kysely<Schema>, network: string): Promise<string | null> {
  const { rows } = await sql<{ reason: string }>`
    select 'it is not read to its tip since the database was restored' as reason
      from followed_networks where network = ${network} and unread_since is not null
    union all
    select 'it shows payments from the hot wallet that no row knows and nobody has decided' as reason
      where exists (select from unknown_payments where network = ${network} and decision is null)
    union all
    select reason from kill_switches
      where action = 'pay' and scope = ${network} and direction = 'both' and cause = 'follower'
    limit 1`.execute(db);
  return rows[0]?.reason ?? null;
}

/** Whether the node has the newest block that we have read: one that is behind it shows a balance of before, one of another chain none of ours. */
export async function showsOurTip(
  { kysely }: Database,
  reader: Pick<NetworkReader, "blockAt">,
  network: string,
): Promise<boolean> {
  const top = await readTop(kysely, network);
  return top === null || (await reader.blockAt(top.height))?.hash === top.hash;
}
