import { sql } from "kysely";
import * as z from "zod";
import type { Database } from "../../db/database.ts";
import type { NetworkRow } from "./tables.ts";

const forksSchema = z.array(z.object({ from: z.number(), salt: z.string().transform(BigInt) }));
export type View = NetworkRow & { forks: z.infer<typeof forksSchema>; has_transactions: boolean };

/**
 * The state of the chain, and what a block consists of: that at `height`, or the newest one. One statement: idle chains cost nothing else.
 */
export async function readView(
  {
    database,
    network,
    onState,
  }: { database: Database; network: string; onState?: ((state: View) => void) | undefined },
  height: number | null,
): Promise<View> {
  const views = height === null ? headsTogether(database, network) : readViews(database, [network], height);
  const view = (await views).get(network);
  if (view === undefined) throw new Error(`${network} is not simulated in this database`);
  onState?.(view);
  return view;
}

type Views = ReadonlyMap<string, View>;

async function readViews(database: Database, networks: readonly string[], height: number | null): Promise<Views> {
  const { rows } = await sql<Omit<View, "forks"> & { network: string; forks: unknown }>`
    select n.network, n.height, n.paused, n.next_block_at, n.fee_percent,
      (select coalesce(json_agg(json_build_object('from', f.from_height, 'salt', f.salt::text) order by f.from_height desc), '[]')
        from (select from_height, salt from sandbox_forks where network = n.network and from_height <= coalesce(${height}::int, n.height)
          order by from_height desc limit 2) f) as forks,
      exists (select from sandbox_transactions t where t.network = n.network and t.block_height = ${height}::int) as has_transactions
    from sandbox_networks n where n.network = any(${[...networks]}::text[])`.execute(database.kysely);
  return new Map(rows.map(({ network, ...row }) => [network, { ...row, forks: forksSchema.parse(row.forks) }]));
}

const asking = new WeakMap<Database, { networks: string[]; views: Promise<Views> }>();

/** The heads of all networks are asked for at once: that is one statement, after the calls of this moment. */
function headsTogether(database: Database, network: string): Promise<Views> {
  const known = asking.get(database);
  if (known !== undefined) {
    known.networks.push(network);
    return known.views;
  }
  const networks = [network];
  const views = Promise.resolve().then(() => {
    asking.delete(database);
    return readViews(database, networks, null);
  });
  asking.set(database, { networks, views });
  return views;
}
