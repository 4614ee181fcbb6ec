import { sql, type Transaction } from "kysely";
import { OperatorError } from "../../../admin/index.ts";
import { withdrawalCoins, type Catalogue } from "../../../catalogue/index.ts";
import type { Schema } from "../../../db/schema.ts";

/** What withdrawals are paid in is known by these. */
export type WithdrawalCoins = Pick<Catalogue, "instruments" | "terms">;

/** More that don't fit what it paid would hide those that do. */
const MAX_NAMED = 10;

type Paid = { network: string; txId: string; slugs: readonly string[] | null };

/**
 * Throws `OperatorError` where an undecided unknown payment may be a withdrawal that no row has since a restore, whose sum is in its wallet
 * again, or has paid one that waits for an operator. `slugs` are what it pays; null where that is hidden.
 */
export async function requireNoWithdrawal(
  transaction: Transaction<Schema>,
  paid: Paid,
  catalogue: WithdrawalCoins,
): Promise<void> {
  const { txId } = paid;
  const waiting = await waitingFor(transaction, paid);
  if (waiting.length > 0)
    throw new OperatorError(
      `${txId} may have paid withdrawal ${waiting.join(" or ")}, which waits for you: "withdrawal approve ${waiting[0]} REASON --as NAME --transaction ${txId}". Where it paid none of them, say --adjusted.`,
    );
  if (await mayBeLost(transaction, paid, catalogue))
    throw new OperatorError(
      `${txId} may be a withdrawal that was asked for after the backup: its sum is in the wallet again, and would be withdrawn twice. Find its account by the mails, take the sum back ("adjust USERID -AMOUNT REASON --as NAME", which a second operator approves; with --from-credits also what its wallet lacks), and say --adjusted then. Say it at once where it was no withdrawal.`,
    );
}

/** Those first that are to pay what it paid, and all of these. */
async function waitingFor(transaction: Transaction<Schema>, { network, txId }: Paid): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select w.id::text from (
      select w.*, row_number() over (order by w.is_same desc, w.id) as place from (
        select w.id, coalesce(coalesce(u.pays, jsonb_build_array(jsonb_build_object('slug', u.sent_slug, 'amount', u.sent_amount::text)))
          @> jsonb_build_array(jsonb_build_object('slug', coalesce(w.paid_slug, w.slug), 'amount', coalesce(w.paid_amount, w.amount - w.network_fee)::text)), false) as is_same
        from withdrawals w join unknown_payments u on u.network = w.network and u.tx_id = ${txId}
        where w.state = 'review' and w.network = ${network}
          and (u.pays is null or u.pays @> jsonb_build_array(jsonb_build_object('to', w.address)))
      ) w
    ) w where w.is_same or w.place <= ${MAX_NAMED} order by w.place`.execute(transaction);
  return rows.map(({ id }) => id);
}

async function mayBeLost(
  transaction: Transaction<Schema>,
  { network, slugs }: Paid,
  catalogue: WithdrawalCoins,
): Promise<boolean> {
  const restored = transaction.selectFrom("followed_networks").select("network").where("restored_at", "is not", null);
  if ((await restored.limit(1).executeTakeFirst()) === undefined) return false;
  const monthly = await transaction.selectFrom("monthly_payouts").select("slug").distinct().execute();
  // One may have been set up after the backup; a row may have a coin that an earlier release offered.
  const coins = new Set([...withdrawalCoins(catalogue), ...monthly.flatMap(({ slug }) => slug ?? [])]);
  if (slugs !== null) return slugs.some((slug) => coins.has(slug));
  return [...coins].some((slug) => catalogue.instruments.get(slug)?.networkTitle === network);
}
