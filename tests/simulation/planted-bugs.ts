import { sql } from "kysely";
import type { Database } from "../../server/db/database.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import { addCredits } from "../../server/earnings/wallet.ts";
import { EARNINGS_SLUG } from "./market.ts";

/** Guards that can be removed, to see that the simulation notices. */
export type PlantedBug =
  | "credit without depth"
  | "payment built again"
  | "replacement on another nonce"
  | "second payment intended"
  | "second payment refused"
  | "accrual without completion"
  | "withdrawal paid twice";

/** Careless code paths about earnings: one pays an account for an order that is still open, one intends a withdrawal's payment once more. */
const EARNINGS_BUGS: Partial<Record<PlantedBug, (database: Database) => Promise<void>>> = {
  "accrual without completion": (database) =>
    inTransaction(database, async (transaction) => {
      const { rows } = await sql<{ id: string; reference: string; userId: bigint }>`
        select id, reference, user_id as "userId" from orders
        where user_id is not null and state in ('refund_requested', 'refunding', 'refunded') order by id limit 1`.execute(
        transaction,
      );
      const at = new Date(0);
      for (const { userId, ...order } of rows) {
        const credit = {
          userId,
          source: "CASHBACK",
          slug: EARNINGS_SLUG,
          amount: 1_000n,
          review: null,
          order,
        } as const;
        await addCredits(transaction, [credit], at);
      }
    }),
  "withdrawal paid twice": async (database) => {
    await sql`alter table payouts drop constraint if exists payouts_withdrawal_id_key`.execute(database.kysely);
    await sql`
      insert into payouts (withdrawal_id, purpose, network, slug, to_address, to_memo, amount, state, next_attempt_at, created_at)
      select p.withdrawal_id, purpose, network, slug, to_address, to_memo, amount, 'intended', now(), created_at
      from payouts p where withdrawal_id is not null and state in ('intended', 'broadcast')
        and (select count(*) from payouts other where other.withdrawal_id = p.withdrawal_id) = 1 limit 1`.execute(
      database.kysely,
    );
  },
};

/** A careless code path that intends a payment once more, each round; the database refuses it unless its constraint is gone. */
export function plantBug(bug: PlantedBug | null, database: Database): () => Promise<void> {
  const careless = bug === null ? undefined : EARNINGS_BUGS[bug];
  if (careless !== undefined) return () => careless(database);
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
