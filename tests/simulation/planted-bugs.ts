import { sql } from "kysely";
import type { Database } from "../../server/db/database.ts";

/** Guards that can be removed, to see that the simulation notices. */
export type PlantedBug =
  | "credit without depth"
  | "payment built again"
  | "replacement on another nonce"
  | "second payment intended"
  | "second payment refused";

/** A careless code path that intends a payment once more, each round; the database refuses it unless its constraint is gone. */
export function plantBug(bug: PlantedBug | null, database: Database): () => Promise<void> {
  if (bug !== "second payment intended" && bug !== "second payment refused") return async () => undefined;
  let isFree = bug === "second payment refused";
  return async () => {
    if (!isFree) {
      await sql`alter table payouts drop constraint payouts_order_id_key`.execute(database.kysely);
      isFree = true;
    }
    await sql`
      insert into payouts (order_id, purpose, network, slug, to_address, to_memo, amount, state, next_attempt_at, created_at)
      select order_id, purpose, network, slug, to_address, to_memo, amount, 'intended', now(), created_at
      from payouts where order_id is not null and state = 'broadcast' limit 1
      on conflict do nothing`.execute(database.kysely);
  };
}
