import { sql } from "kysely";
import type { Database } from "../../../server/db/database.ts";

/** What the canonical chain says about addresses, read without the engine. */
export type HoldingsView = {
  /** What an address holds of an instrument, in minor units. */
  holds(address: string, slug: string): Promise<bigint>;
  /** What sweeps have brought to the hot wallet, one sum for each transfer. */
  arrived(slug: string): Promise<bigint[]>;
};

/**
 * The laws of sweeps, judged on the rows and the chain alone once every sweep is at its end: each deposit moved once, the books of deposit
 * addresses are what these hold, and what arrived is what was moved. Returns every violation as a text.
 */
export async function sweepViolations(database: Database, chain: HoldingsView): Promise<string[]> {
  return [...(await rowViolations(database)), ...(await holdingViolations(database, chain))];
}

async function rowViolations(database: Database): Promise<string[]> {
  const { rows: sums } = await sql<{ id: bigint }>`
    select s.id from sweeps s left join deposits d on d.sweep_id = s.id
    group by s.id having s.amount <> coalesce(sum(d.amount), 0)`.execute(database.kysely);
  const { rows: moves } = await sql<{ id: bigint; moves: bigint }>`
    select s.id, count(p.id) as moves from sweeps s left join payouts p on p.sweep_id = s.id and p.purpose = 'sweep'
    group by s.id having count(p.id) <> 1`.execute(database.kysely);
  const { rows: open } = await sql<{ id: bigint; state: string }>`
    select id, state from sweeps where state <> 'done'`.execute(database.kysely);
  const { rows: gas } = await sql<{ tx_id: string }>`
    select d.tx_id from deposits d join payout_attempts a on a.tx_id = d.tx_id join payouts p on p.id = a.payout_id
    where p.purpose = 'gas'`.execute(database.kysely);
  return [
    ...sums.map(({ id }) => `sweep ${id} is not the sum of its deposits`),
    ...moves.map(({ id, moves: count }) => `sweep ${id} has ${count} moves`),
    ...open.map(({ id, state }) => `sweep ${id} ended ${state}`),
    ...gas.map(({ tx_id }) => `the treasury's own gas ${tx_id} counts as a deposit`),
  ];
}

async function holdingViolations(database: Database, chain: HoldingsView): Promise<string[]> {
  const found: string[] = [];
  const addresses = await database.kysely.selectFrom("deposit_addresses").select("address").execute();
  const accounts = await database.kysely
    .selectFrom("ledger_accounts")
    .select(["slug", "balance"])
    .where("name", "=", "deposits")
    .execute();
  for (const { slug, balance } of accounts) {
    let held = 0n;
    for (const { address } of addresses) held += await chain.holds(address, slug);
    if (held !== -balance) found.push(`deposit addresses hold ${held} of ${slug}, the books say ${-balance}`);
    const { rows } = await sql<{ amount: bigint }>`
      select amount from payouts where purpose = 'sweep' and state = 'final' and slug = ${slug} order by id`.execute(
      database.kysely,
    );
    const [moved, arrived] = [
      rows.map(({ amount }) => amount).toSorted(bySize),
      (await chain.arrived(slug)).toSorted(bySize),
    ];
    if (moved.join() !== arrived.join())
      found.push(`sweeps of ${slug} moved ${moved.join()}; ${arrived.join()} arrived`);
  }
  return found;
}

const bySize = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
