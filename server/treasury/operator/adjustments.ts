import { sql, type RawBuilder, type Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction, transactionTime } from "../../db/transaction.ts";
import { adjustmentEntries, suspenseEndEntries } from "../ledger/entries.ts";
import { post } from "../ledger/ledger.ts";
import { writeOffOrder } from "./order-write-off.ts";
import { endHeldSweep, endSweep } from "./sweep-write-off.ts";
import { shortageReason } from "../balances/switches.ts";
import { type Operator, OperatorError, recordAction } from "../../admin/index.ts";

export type Adjustment = {
  network: string;
  slug: string;
  account: "hot" | "deposits" | "suspense";
  /** What the chain holds more than the ledger says; below zero what is missing. Of `suspense` what is ours; below zero what was sent back. */
  amount: bigint;
};

/**
 * Proposes to book a difference that stopped a network's payments; returns its number, for the operator who confirms it. Throws
 * `OperatorError` where the reconciler has measured another one, or none: `isUnmeasured` says that the operator knows better.
 */
export function proposeAdjustment(
  database: Database,
  operator: Operator,
  adjustment: Adjustment,
  isUnmeasured = false,
): Promise<bigint> {
  return inTransaction(database, async (transaction) => {
    if (!isUnmeasured) await requireMeasured(transaction, adjustment);
    const { id } = await transaction
      .insertInto("adjustments")
      .values({
        ...adjustment,
        reason: operator.reason,
        proposed_by: operator.name,
        is_unmeasured: isUnmeasured,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const change = { action: "freeze propose", subject: `network ${adjustment.network}`, before: {} };
    await recordAction(transaction, operator, { ...change, after: { adjustment: id, ...adjustment } });
    return id;
  });
}

/**
 * Books a proposed difference at our own cost, as another operator than the one who proposed it, and ends the stop that the reconciler
 * has set for it. The write-off of an order's deposits is confirmed alike.
 */
export async function confirmAdjustment(database: Database, operator: Operator, id: bigint): Promise<Confirmed> {
  return inTransaction(database, async (transaction) => {
    const found = await lockOpen(transaction, id);
    if (found.proposed_by.toLowerCase() === operator.name.toLowerCase())
      throw new OperatorError(`${found.proposed_by} proposed it: somebody else has to confirm it.`);
    const { network, slug, account, amount } = found;
    if (!found.is_unmeasured) await requireMeasured(transaction, found);
    const at = await transactionTime(transaction);
    if (found.surplus_id !== null) await endSurplus(transaction, found.surplus_id, at);
    if (found.surplus_id !== null && amount > 0n) await requireStillThere(transaction, found);
    if (found.order_id !== null)
      return confirmOrderWriteOff(transaction, operator, { ...found, order_id: found.order_id }, at);
    const entries =
      account === "suspense" ? suspenseEndEntries(slug, amount) : adjustmentEntries(slug, amount, account);
    await post(transaction, { kind: "adjustment", sourceId: `${id}`, at, entries });
    if (account === "deposits" && !found.is_unmeasured) await settleDrifts(transaction, network, slug);
    if (found.payout_id !== null) await endSweep(transaction, found.payout_id);
    if (found.sweep_id !== null) await endHeldSweep(transaction, found.sweep_id);
    await markConfirmed(transaction, operator, id, at);
    const { before, after } = await endShortage(transaction, network, changesHot(found) ? slug : null);
    await recordAction(transaction, operator, {
      action: "freeze confirm",
      subject: `network ${network}`,
      before: { stopped: before, proposedBy: found.proposed_by },
      after: { adjustment: id, slug, account, amount, stopped: after },
    });
    return { network, slug, account, amount, reference: null, stillStopped: after };
  });
}

/** What was booked: of an order's deposits with its reference, else with the reason why the network's payments are still stopped, if they are. */
type Confirmed = Adjustment & { reference: string | null; stillStopped: string | null };

async function confirmOrderWriteOff(
  transaction: Transaction<Schema>,
  operator: Operator,
  found: Awaited<ReturnType<typeof lockOpen>> & { order_id: string },
  at: Date,
): Promise<Confirmed> {
  const { id, network, slug, account, amount, proposed_by: proposedBy } = found;
  const reference = await writeOffOrder(transaction, found, at);
  await markConfirmed(transaction, operator, id, at);
  await recordAction(transaction, operator, {
    action: "freeze confirm",
    subject: `order ${reference}`,
    before: { proposedBy },
    after: { adjustment: id, slug, writtenOff: amount },
  });
  return { network, slug, account, amount, reference, stillStopped: null };
}

/** What was sent back of a surplus has left the hot wallet. */
const changesHot = ({ account, amount }: Pick<Adjustment, "account" | "amount">): boolean =>
  account === "hot" || (account === "suspense" && amount < 0n);

async function endSurplus(transaction: Transaction<Schema>, id: bigint, at: Date): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("surpluses")
    .set({ ended_at: at })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new OperatorError(`Surplus ${id} was decided already.`);
}

/** Coins of a surplus that have left the hot wallet since, as by a reorganisation, are missing: they are not ours to keep. */
async function requireStillThere(transaction: Transaction<Schema>, { network, slug }: Adjustment): Promise<void> {
  const measured = await missingInHot(transaction, network, slug);
  if (measured !== null)
    throw new OperatorError(
      `The reconciler misses ${measured.missing} minor units of ${slug} in hot: decide that first ("freeze propose").`,
    );
}

const markConfirmed = (transaction: Transaction<Schema>, { name }: Operator, id: bigint, at: Date) =>
  transaction.updateTable("adjustments").set({ confirmed_by: name, confirmed_at: at }).where("id", "=", id).execute();

/** Ends a proposal that nobody shall confirm: the one who proposed it may, and anybody else. Throws `OperatorError` where it has ended. */
export function withdrawAdjustment(database: Database, operator: Operator, id: bigint): Promise<void> {
  return inTransaction(database, async (transaction) => {
    const { network, proposed_by } = await lockOpen(transaction, id);
    await transaction
      .updateTable("adjustments")
      .set({ withdrawn_by: operator.name, withdrawn_at: sql<Date>`now()` })
      .where("id", "=", id)
      .execute();
    const change = { action: "freeze withdraw", subject: `network ${network}`, after: { adjustment: id } };
    await recordAction(transaction, operator, { ...change, before: { proposedBy: proposed_by } });
  });
}

async function lockOpen(transaction: Transaction<Schema>, id: bigint) {
  const found = await transaction
    .selectFrom("adjustments")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) throw new OperatorError(`There is no proposal ${id}.`);
  if (found.confirmed_at !== null) throw new OperatorError(`Proposal ${id} was confirmed by ${found.confirmed_by}.`);
  if (found.withdrawn_at !== null) throw new OperatorError(`Proposal ${id} was withdrawn by ${found.withdrawn_by}.`);
  return found;
}

/** The reconciler measures every minute, deposit addresses with every block: what is older is not known to be so still. */
const MEASURED_WITHIN_MINUTES = 5;

/** What the reconciler misses, in minor units, and the minutes since it has measured that. */
type Measured = { missing: string; minutes: number };

/** Of two operators who confirm at one moment the second sees what the first has booked. */
async function requireMeasured(transaction: Transaction<Schema>, adjustment: Adjustment): Promise<void> {
  const { network, slug, account, amount } = adjustment;
  await sql`select pg_advisory_xact_lock(hashtext(${`freeze ${network}`}))`.execute(transaction);
  const read = account === "hot" ? missingInHot : missingAtDeposits;
  const measured = await read(transaction, network, slug);
  if (measured === null)
    throw new OperatorError(
      `The reconciler misses no ${slug} in ${account}: wait for its next two runs, a minute apart, where something was decided or sent just now; add --unmeasured only if you know that it is so.`,
    );
  if (measured.minutes >= MEASURED_WITHIN_MINUTES)
    throw new OperatorError(
      `The reconciler measured what it misses of ${slug} ${Math.floor(measured.minutes)} minutes ago: wait until it measures again, or propose it with --unmeasured if you know that it is so.`,
    );
  if (BigInt(measured.missing) !== -amount)
    throw new OperatorError(
      `The reconciler misses ${measured.missing} minor units of ${slug}: book that, or add --unmeasured if you know better.`,
    );
}

const minutesSince = (at: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from now() - ${at}) / 60)::float8`;

/** Null where nothing is missing. What a release before this one has measured has no time, and is measured again within a minute. */
async function missingInHot(transaction: Transaction<Schema>, network: string, slug: string): Promise<Measured | null> {
  const at = sql`coalesce((measured_at->>${slug}::text)::timestamptz, at)`;
  const { rows } = await sql<Measured>`
    select missing->>${slug}::text as missing, ${minutesSince(at)} as minutes from kill_switches
    where action = 'pay' and scope = ${network} and direction = 'both' and cause = 'reconciler' and missing ? ${slug}::text`.execute(
    transaction,
  );
  return rows[0] ?? null;
}

/** What the deposit addresses of a network lack of an instrument, as the reconciler has measured it; null where nothing is missing. */
async function missingAtDeposits(
  transaction: Transaction<Schema>,
  network: string,
  slug: string,
): Promise<Measured | null> {
  const { rows } = await sql<Measured | { missing: null }>`
    select sum(expected - actual - booked)::text as missing, ${minutesSince(sql`min(measured_at)`)} as minutes from deposit_drifts
    where network = ${network} and slug = ${slug} and expected - actual <> booked`.execute(transaction);
  const [row] = rows;
  return row === undefined || row.missing === null ? null : row;
}

/** What was missing at deposit addresses is booked: it is shown no more. */
const settleDrifts = (transaction: Transaction<Schema>, network: string, slug: string): Promise<unknown> =>
  sql`update deposit_drifts set booked = expected - actual where network = ${network} and slug = ${slug}`.execute(
    transaction,
  );

/** Ends the reconciler's stop where it misses nothing else; returns why payments were stopped, and why they still are. */
async function endShortage(
  transaction: Transaction<Schema>,
  network: string,
  slug: string | null,
): Promise<{ before: string | null; after: string | null }> {
  const why = async () => {
    const { rows } = await sql<{ reason: string }>`
      select reason from kill_switches where action = 'pay' and scope in ('*', ${network}) and direction = 'both'
      order by cause, scope`.execute(transaction);
    return rows.length === 0 ? null : rows.map(({ reason }) => reason).join("; ");
  };
  const before = await why();
  await sql`
    update kill_switches set missing = missing - coalesce(${slug}::text, ''),
      measured_at = measured_at - coalesce(${slug}::text, ''),
      reason = ${shortageReason(sql`missing - coalesce(${slug}::text, '')`)}
    where action = 'pay' and scope = ${network} and direction = 'both' and cause = 'reconciler'`.execute(transaction);
  await sql`
    delete from kill_switches
    where action = 'pay' and scope = ${network} and direction = 'both' and cause = 'reconciler' and missing = '{}'`.execute(
    transaction,
  );
  return { before, after: await why() };
}
