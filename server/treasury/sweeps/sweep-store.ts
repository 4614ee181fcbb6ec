import { sql, type Transaction } from "kysely";
import { kyselyOf, type QuerySource } from "../../db/transaction.ts";
import type { Schema } from "../../db/schema.ts";
import type { DepositSource } from "../../chains/port.ts";

export type SweepRow = {
  id: bigint;
  network: string;
  address: string;
  source: DepositSource;
  slug: string;
  /** The sum of its deposits. */
  amount: bigint;
  state: Schema["sweeps"]["state"];
  /** How often it has failed in a row. */
  failures: number;
  /** Whether an operator has to decide. */
  isHeld: boolean;
};

/** Sweeps planned at once; the next run takes more. */
const BATCH = 100;

/** The sweep as it is now, unlocked; null for an unknown id. */
export async function loadSweep(source: QuerySource, id: bigint): Promise<SweepRow | null> {
  const row = await kyselyOf(source).selectFrom("sweeps").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : read(row);
}

/** Locks a sweep's row until the transaction ends. */
export async function lockSweep(transaction: Transaction<Schema>, id: bigint): Promise<SweepRow> {
  return read(
    await transaction.selectFrom("sweeps").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow(),
  );
}

type Row = Pick<
  Schema["sweeps"],
  "network" | "address" | "slug" | "amount" | "state" | "derivation_index" | "review_reason"
> & {
  id: bigint;
  failures: number;
};

const read = ({ id, network, address, slug, amount, state, failures, ...row }: Row): SweepRow => ({
  id,
  network,
  address,
  source: { address, index: row.derivation_index },
  slug,
  amount,
  state,
  failures,
  isHeld: row.review_reason !== null,
});

/**
 * Turns credited deposits that no sweep has taken yet into sweeps, one for each address that holds at least `min` of an instrument.
 * Returns how many. None while the chain may show, or shows, sweeps that no row knows. An advisory lock keeps two processes from planning the same network.
 */
export async function planSweeps(
  transaction: Transaction<Schema>,
  { network, slug, min, at }: { network: string; slug: string; min: bigint; at: Date },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('sweeps'), hashtext(${network}))`.execute(transaction);
  const { rows } = await sql<{ id: bigint }>`
    with ripe as (
      select address, sum(amount) as amount from deposits
      where network = ${network} and slug = ${slug} and credited_at is not null and sweep_id is null
        and not exists (select from unknown_sweeps t where t.network = ${network} and t.address = deposits.address
          and t.slug = ${slug} and t.payout_id is null and t.ended_at is null)
        and not exists (select from followed_networks f where f.network = ${network} and f.unread_since is not null)
      group by address having sum(amount) >= ${min} limit ${BATCH}
    ), made as (
      insert into sweeps (network, address, derivation_index, slug, amount, state, next_attempt_at, created_at)
      select ${network}, ripe.address, owned.derivation_index, ${slug}, ripe.amount, 'planned', now(), ${at}
      from ripe join deposit_addresses owned on owned.network = ${network} and owned.address = ripe.address and owned.memo is null
      returning id, address
    ), marked as (
      update deposits set sweep_id = made.id from made
      where deposits.network = ${network} and deposits.slug = ${slug} and deposits.address = made.address
        and deposits.credited_at is not null and deposits.sweep_id is null
    )
    select id from made`.execute(transaction);
  return rows.length;
}

/** Makes a sweep due in `seconds`; null while a payment of it is open. */
export async function scheduleSweep(
  db: Pick<Transaction<Schema>, "updateTable">,
  id: bigint,
  seconds: number | null,
): Promise<void> {
  const at = seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds})`;
  await db.updateTable("sweeps").set({ next_attempt_at: at }).where("id", "=", id).execute();
}
