import { sql, type Transaction } from "kysely";
import type { Clock } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Log } from "../../base/logging/log.ts";
import type { NetworkReader, NetworkWallet } from "../../chains/port.ts";
import { signedCost } from "../payouts/attempts.ts";
import type { Switches } from "../port.ts";
import { showsOurTip, unreadReason } from "./chain-check.ts";
import { certainSurplus, compareHolding, isQuiet, maxFees, type Books } from "./holding.ts";
import { bookSurplus } from "./surpluses.ts";

/** A payment may cost this many times the current fee of the network's own coin, or what it was signed for if that is more, before it counts as a shortage. */
const FEE_MARGIN = 10n;

export type ReconcilerParts = {
  database: Database;
  /** A network that is not among them is skipped. */
  wallets: ReadonlyMap<string, NetworkWallet>;
  readers: ReadonlyMap<string, Pick<NetworkReader, "feeSlug" | "estimateFee" | "blockAt">>;
  slugsOf(network: string): readonly string[];
  switches: Pick<Switches, "reportShortage" | "endExplainedShortage">;
  clock: Clock;
  log: Log;
};

/**
 * Compares what the hot wallets hold with what the books say (engine law 11). A shortage in two consecutive runs stops all
 * payments of its network, until it is booked; a surplus goes to suspense, but for what operators have announced: all of it while no payment
 * is under way, else what two consecutive runs show beyond anything that payments could explain. It waits while the rows don't know what the
 * chain shows.
 */
export function createReconciler(parts: ReconcilerParts): { reconcile(network: string): Promise<void> } {
  const suspected = new Set<string>();
  /** The networks whose last run found nothing missing. */
  const agreed = new Set<string>();
  /** What has more than its books, and waits for its chain to be read: said once. */
  const waiting = new Set<string>();
  /** What the last run found beyond anything that the payments under way could explain. */
  const beyond = new Map<string, bigint>();

  /** True when it was compared and nothing is missing. */
  async function reconcileInstrument(network: string, wallet: NetworkWallet, slug: string): Promise<boolean> {
    const before = await readBooks(parts.database, wallet, slug);
    const actual = await wallet.hotBalance(slug);
    // As an idle network is: nothing moves that could explain a difference, and there is none to explain.
    const isExact = actual === before.expected && isQuiet(before) && before.unbookedFees.length === 0;
    // The books changed in between: the balance belongs to neither state.
    if (!isExact && isDifferent(before, await readBooks(parts.database, wallet, slug))) return false;
    const reader = parts.readers.get(network);
    const mayCostFees = !isExact && reader?.feeSlug === slug;
    const fees = mayCostFees ? maxFees(before, (await reader.estimateFee(slug)) * FEE_MARGIN) : 0n;
    const verdict = compareHolding(before, actual, fees);
    const key = `${network} ${slug}`;
    const certain = verdict.kind === "surplus" ? certainSurplus(before, verdict.by, fees) : 0n;
    const last = beyond.get(key) ?? 0n;
    beyond.set(key, certain);
    const amount = isQuiet(before) ? certain : certain < last ? certain : last;
    if (amount > 0n && (await book(network, wallet, { slug, actual, expected: before.expected, amount })))
      beyond.delete(key);
    if (verdict.kind !== "short") {
      await parts.switches.reportShortage(network, slug, null);
      suspected.delete(key);
      return true;
    }
    if (!suspected.has(key)) {
      suspected.add(key);
      return false;
    }
    parts.log.error(
      { network, slug, by: verdict.by.toString() },
      "the hot wallet holds less than the ledger says; payments are stopped",
    );
    await parts.switches.reportShortage(network, slug, verdict.by);
    return false;
  }

  async function waitsForChain(network: string, slug: string): Promise<boolean> {
    const reader = parts.readers.get(network);
    const isOurs = reader === undefined || (await showsOurTip(parts.database, reader, network));
    const reason = isOurs
      ? await unreadReason(parts.database.kysely, network)
      : "its node does not show the newest block that was read";
    const key = `${network} ${slug}`;
    if (reason === null) waiting.delete(key);
    else if (!waiting.has(key)) {
      waiting.add(key);
      parts.log.warn(
        { network, slug, reason },
        "the hot wallet holds more than the ledger says; nothing is booked yet",
      );
    }
    return reason !== null;
  }

  /** True when it was booked. */
  async function book(
    network: string,
    wallet: NetworkWallet,
    { slug, actual, expected, amount }: Measured,
  ): Promise<boolean> {
    if (await waitsForChain(network, slug)) return false;
    // The node may have been behind when it was asked first.
    if ((await wallet.hotBalance(slug)) !== actual) return false;
    const at = parts.clock.now();
    const sourceId = `${slug} over ${expected} at ${at.toISOString()}`;
    const booked = await inTransaction(parts.database, async (transaction) => {
      // Another holder of a lease that stalled may have booked the same coins since they were measured.
      await sql`select pg_advisory_xact_lock(hashtext(${`top_up ${slug}`}))`.execute(transaction);
      if ((await readExpected(transaction, slug)) !== expected) return null;
      if ((await unreadReason(transaction, network)) !== null) return null;
      return bookSurplus(transaction, { network, slug, amount, sourceId, at });
    });
    if (booked === null) return false;
    const { announced, isMore } = booked;
    const unexplained = amount - announced;
    if (announced > 0n)
      parts.log.info({ network, slug, amount: announced.toString() }, "announced coins were added to the hot wallet");
    if (unexplained > 0n)
      parts.log[isMore ? "info" : "error"](
        { network, slug, amount: unexplained.toString() },
        isMore
          ? "more arrived in the hot wallet that the ledger doesn't say; it is in suspense with what needs review there"
          : "the hot wallet holds more than the ledger says; it is in suspense and needs review",
      );
    return true;
  }

  return {
    async reconcile(network) {
      const wallet = parts.wallets.get(network);
      if (wallet === undefined) return;
      const wasAgreed = agreed.delete(network);
      let agrees = true;
      for (const slug of parts.slugsOf(network)) agrees = (await reconcileInstrument(network, wallet, slug)) && agrees;
      if (agrees) agreed.add(network);
      if (agrees && wasAgreed && (await parts.switches.endExplainedShortage(network)))
        parts.log.info({ network }, "nothing is missing since an unknown payment was booked; the network pays again");
    },
  };
}

/** `amount` is the part of the difference that is booked. */
type Measured = { slug: string; actual: bigint; expected: bigint; amount: bigint };

async function readExpected(transaction: Transaction<Schema>, slug: string): Promise<bigint> {
  const row = await transaction
    .selectFrom("ledger_accounts")
    .select("balance")
    .where("name", "=", "hot")
    .where("slug", "=", slug)
    .executeTakeFirst();
  return 0n - (row?.balance ?? 0n);
}

/** What the rows say of one instrument of a hot wallet, in one snapshot. */
async function readBooks(database: Database, wallet: NetworkWallet, slug: string): Promise<Books> {
  const network = wallet.networkTitle;
  const { rows } = await sql<Row>`
    select
      coalesce((select -balance from ledger_accounts where name = 'hot' and slug = ${slug}), 0) as expected,
      coalesce((select sum(p.amount) from payouts p where p.slug = ${slug} and p.network = ${network}
        and p.purpose not in ('sweep', 'consolidation') and p.state in ('intended', 'broadcast', 'review')
        and exists (select 1 from payout_attempts a where a.payout_id = p.id and a.status in ('prepared', 'broadcast'))), 0)
        as under_way,
      (select coalesce(jsonb_agg(jsonb_build_object('signed', ${signedCost}::text, 'handle', h.data, 'children',
          (select coalesce(sum(c.max_cost), 0)::text from payout_children c where c.payout_id = p.id and c.status <> 'dead')) order by p.id), '[]')
        from payouts p left join lateral (
          select data from payout_handles where payout_id = p.id order by id desc limit 1) h on true
        where p.network = ${network} and p.purpose <> 'sweep' and p.state in ('intended', 'broadcast', 'mined', 'review')
        and exists (select 1 from payout_attempts a where a.payout_id = p.id)) as unpaid_fees,
      (select count(*) from payouts p where p.network = ${network} and ${isUnsettled}) as unsettled,
      coalesce((select sum(p.amount) from payouts p where p.slug = ${slug} and p.network = ${network} and ${isUnsettled}), 0)
        as unsettled_sum,
      (select count(*) from unknown_payments u where u.network = ${network} and u.decision = 'to ourselves'
          and u.settled_at is null and (u.height is not null or u.fee is not null))
        + (select count(*) from unknown_sweeps t where t.network = ${network} and t.payout_id is null and t.ended_at is null) as unmeasured
    `.execute(database.kysely);
  const row = rows[0];
  if (row === undefined) throw new Error("the ledger query returned no row");
  const costOf = ({ signed, handle, children }: Row["unpaid_fees"][number]): bigint => {
    const chosen = handle === null ? 0n : wallet.maxCost({ keys: [], data: handle });
    return (signed === null || BigInt(signed) < chosen ? chosen : BigInt(signed)) + BigInt(children);
  };
  const unbookedFees = row.unpaid_fees.map(costOf);
  return {
    expected: row.expected,
    underWay: row.under_way,
    unbookedFees,
    unsettled: row.unsettled,
    unsettledSum: row.unsettled_sum,
    unmeasured: row.unmeasured,
  };
}

type Row = {
  expected: bigint;
  under_way: bigint;
  unpaid_fees: { signed: string | null; handle: Record<string, unknown> | null; children: string }[];
  unsettled: bigint;
  unsettled_sum: bigint;
  unmeasured: bigint;
};

/**
 * Whether a payment `p` is signed and not final: it may leave, have left, or come back. One that is held, or waits to be signed, after a block of it was
 * undone is booked as paid still; what has moved in part is settled.
 */
const isUnsettled = sql`p.route = 'treasury' and (p.state in ('broadcast', 'mined') or (p.state = 'intended'
  and exists (select 1 from payout_attempts a where a.payout_id = p.id))
  or (p.state in ('review', 'intended') and p.mined_height is not null and p.arrived is null))`;

function isDifferent(one: Books, other: Books): boolean {
  const asText = (_: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value);
  return JSON.stringify(one, asText) !== JSON.stringify(other, asText);
}
