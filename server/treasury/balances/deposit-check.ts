import { sql } from "kysely";
import type { Log } from "../../base/logging/log.ts";
import { readTop, type TailBlock } from "../../chains/follower/index.ts";
import { canSweep, type NetworkReader, type NetworkWallet } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";

/** Addresses that one run asks about: as many as one call of an EVM node answers, and few where each is a call. */
const AT_ONCE = 100;
const CALLS_AT_ONCE = 20;

export type DepositCheckParts = {
  database: Database;
  readers: ReadonlyMap<string, Pick<NetworkReader, "balancesAt">>;
  wallets: ReadonlyMap<string, NetworkWallet>;
  log: Log;
};

/** What lies at a deposit address by the rows: credited, and not taken by a sweep. */
type Holding = { address: string; slug: string; index: bigint; expected: bigint };
type Place = { slug: string; address: string };

/**
 * Compares what deposit addresses hold with what the rows say (engine law 11), a slice of those that hold something with each new block, and
 * all of them in turn: its cost follows what is not swept yet. An address that holds less in two runs is shown to operators until it agrees,
 * its coins are swept, or the loss is booked. Coins beyond the rows are deposits, which the follower finds.
 */
export function createDepositCheck(parts: DepositCheckParts): { check(network: string): Promise<void> } {
  const { database, log } = parts;
  const progress = new Map<string, { blockHash: string; after: Place; suspected: Holding[] }>();

  async function check(network: string): Promise<void> {
    const ask = askerOf(parts, network);
    if (ask === null) return;
    const top = await readTop(database.kysely, network);
    const last = progress.get(network);
    if (top === null || top.hash === last?.blockHash) return;
    const after = last?.after ?? FIRST;
    const next = await holdingsAfter(database, network, after, ask.atOnce);
    const end = next.at(-1);
    const again = await holdingsAt(database, network, [
      ...(last?.suspected ?? []),
      ...(await driftsOf(database, network)),
    ]);
    const asked = [...new Map([...next, ...again].map((one) => [keyOf(one), one])).values()];
    const held = await ask.balances(top, asked);
    const short = asked.flatMap((one, at) =>
      (held[at] ?? 0n) < one.expected ? [{ ...one, actual: held[at] ?? 0n }] : [],
    );
    const suspects = new Set(again.map(keyOf));
    // Rows and chain are read one after the other: what is short once may only have been between the two.
    const confirmed = short.filter((one) => suspects.has(keyOf(one)));
    const found = await storeDrifts(database, network, confirmed);
    for (const { slug, missing } of found)
      log.error({ network, slug, missing: missing.toString() }, "a deposit address holds less than the ledger says");
    await forgetAgreed(
      database,
      network,
      confirmed.map(({ address, slug }) => ({ address, slug })),
    );
    progress.set(network, {
      blockHash: top.hash,
      after: next.length < ask.atOnce || end === undefined ? FIRST : end,
      suspected: short.filter((one) => !suspects.has(keyOf(one))),
    });
  }

  return { check };
}

const FIRST: Place = { slug: "", address: "" };
const keyOf = ({ slug, address }: Place): string => `${slug} ${address}`;

type Asker = { atOnce: number; balances(top: TailBlock, asked: readonly Holding[]): Promise<bigint[]> };

/** Null where a network's node can't tell what addresses hold. */
function askerOf({ readers, wallets }: DepositCheckParts, network: string): Asker | null {
  const reader = readers.get(network);
  const wallet = wallets.get(network);
  if (reader?.balancesAt !== undefined) {
    const balancesAt = reader.balancesAt.bind(reader);
    return {
      atOnce: AT_ONCE,
      balances: ({ hash }, asked) => (asked.length === 0 ? Promise.resolve([]) : balancesAt(hash, asked)),
    };
  }
  if (wallet === undefined || !canSweep(wallet)) return null;
  return {
    atOnce: CALLS_AT_ONCE,
    balances: async (_, asked) => {
      const found: bigint[] = [];
      for (const { address, index, slug } of asked) found.push(await wallet.depositBalance({ address, index }, slug));
      return found;
    },
  };
}

/** But for what sweeps have taken of which no row knows yet whose they are. */
const unswept = sql<boolean>`d.credited_at is not null and d.sweep_id is null and d.review_reason is null
  and not exists (select from unknown_sweeps t where t.network = d.network and t.address = d.address and t.slug = d.slug
    and t.payout_id is null and t.ended_at is null)`;

async function holdingsAfter(database: Database, network: string, after: Place, limit: number): Promise<Holding[]> {
  const { rows } = await sql<Holding>`
    select held.slug, held.address, held.expected, a.derivation_index as index from (
      select d.slug, d.address, sum(d.amount) as expected from deposits d
      where d.network = ${network} and (d.slug, d.address) > (${after.slug}, ${after.address}) and ${unswept}
      group by d.slug, d.address order by d.slug, d.address limit ${limit}
    ) held join deposit_addresses a on a.network = ${network} and a.address = held.address and a.memo is null
    order by held.slug, held.address`.execute(database.kysely);
  return rows;
}

/** The same of some addresses; those that hold nothing by the rows any more are left out. */
async function holdingsAt(database: Database, network: string, places: readonly Place[]): Promise<Holding[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<Holding>`
    select asked.slug, asked.address, held.expected, a.derivation_index as index
    from unnest(${places.map(({ slug }) => slug)}::text[], ${places.map(({ address }) => address)}::text[]) as asked (slug, address)
    join deposit_addresses a on a.network = ${network} and a.address = asked.address and a.memo is null
    cross join lateral (select sum(d.amount) as expected from deposits d
      where d.network = ${network} and d.slug = asked.slug and d.address = asked.address and ${unswept}) held
    where held.expected is not null`.execute(database.kysely);
  return rows;
}

const driftsOf = ({ kysely }: Database, network: string): Promise<Place[]> =>
  kysely.selectFrom("deposit_drifts").select(["slug", "address"]).where("network", "=", network).execute();

type Short = Holding & { actual: bigint };

/** Stores what is missing; returns those of which operators were not told. */
async function storeDrifts(
  database: Database,
  network: string,
  short: readonly Short[],
): Promise<{ slug: string; missing: bigint }[]> {
  if (short.length === 0) return [];
  const { rows } = await sql<{ slug: string; missing: bigint }>`
    with seen as (
      select * from unnest(${short.map(({ slug }) => slug)}::text[], ${short.map(({ address }) => address)}::text[],
        ${short.map(({ expected }) => expected)}::numeric[], ${short.map(({ actual }) => actual)}::numeric[])
        as seen (slug, address, expected, actual)
    ), known as (
      select k.slug, k.address, k.expected - k.actual as missing from deposit_drifts k where k.network = ${network}
    ), stored as (
      insert into deposit_drifts as k (network, slug, address, expected, actual)
      select ${network}, slug, address, expected, actual from seen
      on conflict (network, slug, address)
        do update set expected = excluded.expected, actual = excluded.actual, measured_at = now()
      returning k.slug, k.address, k.expected - k.actual as missing
    )
    select stored.slug, stored.missing from stored left join known using (slug, address)
    where known.missing is distinct from stored.missing`.execute(database.kysely);
  return rows;
}

/** All but these agree by now, or hold nothing by the rows. */
async function forgetAgreed(database: Database, network: string, short: readonly Place[]): Promise<void> {
  await sql`
    delete from deposit_drifts k where k.network = ${network} and not exists (
      select 1 from unnest(${short.map(({ slug }) => slug)}::text[], ${short.map(({ address }) => address)}::text[]) as still (slug, address)
      where still.slug = k.slug and still.address = k.address)`.execute(database.kysely);
}
