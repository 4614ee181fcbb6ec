import { sql } from "kysely";
import { type AccountRows, exportedRow } from "../db/account-rows.ts";
import { hasOutstanding } from "./outstanding.ts";
import { hasUnpaidEarnings, hasUnsettledWithdrawal, joinEarnings } from "./wallet.ts";
import { returnWithdrawalsInReview } from "./withdrawals/return-withdrawals.ts";

/** What an account has earned and withdrawn, whom it has referred, and by which clients it is known. */
export const earningsRows: AccountRows = {
  tables: {
    wallet_credits: { joined: "own", deleted: "keep", proved: "keep", exported: "earnings" },
    withdrawals: { joined: "own", deleted: "own", proved: "own", exported: "withdrawals" },
    monthly_payouts: {
      joined: "delete",
      deleted: "delete",
      proved: "delete",
      exported: "monthlyPayout",
      isSetting: true,
    },
    ledger_accounts: {
      joined: "own",
      deleted: "keep",
      proved: "keep",
      exported: { leftOut: "sums of earnings and withdrawals" },
    },
    referrer_ids: { joined: "own", deleted: "keep", proved: "keep", exported: "referrals" },
    referral_clicks: { joined: "own", deleted: "keep", proved: "keep", exported: "referrals" },
    user_clients: {
      joined: "own",
      deleted: "delete",
      proved: "keep",
      exported: { leftOut: "digests, by which misuse is found" },
    },
  },
  async exportRows(db, userId) {
    const earnings = await db
      .selectFrom("wallet_credits")
      .select(["public_id as id", "source", "slug as instrument", "amount", "outstanding", "state"])
      .select("created_at as createdAt")
      // What others exchange is theirs.
      .select(
        sql<string | null>`case when source = 'AFFILIATE' then null else order_reference end`.as("orderReference"),
      )
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute();
    const withdrawals = await db
      .selectFrom("withdrawals")
      .select(["public_id as id", "slug as instrument", "address", "amount", "network_fee as networkFee", "state"])
      .select(["paid_slug as paidInstrument", "paid_amount as paidAmount"])
      .select(["client_key as clientAddress", "created_at as createdAt", "ended_at as endedAt"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute();
    const monthlyPayout = await db
      .selectFrom("monthly_payouts")
      .select(["address", "slug as instrument", "set_at as setAt", "month as lastMonth", "outcome"])
      .where("user_id", "=", userId)
      .executeTakeFirst();
    const referrerIds = await db
      .selectFrom("referrer_ids")
      .select(["referrer_id as referrerId", "created_at as createdAt"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute();
    const { rows: clicks } = await sql<Record<string, unknown>>`
      select day::text as day, clicks from referral_clicks where user_id = ${userId} order by day`.execute(db);
    return {
      earnings: earnings.map(exportedRow),
      withdrawals: withdrawals.map(exportedRow),
      monthlyPayout: monthlyPayout === undefined ? null : exportedRow(monthlyPayout),
      referrals: { referrerIds: referrerIds.map(exportedRow), clicks: clicks.map(exportedRow) },
    };
  },
  async whyOpen(transaction, userId) {
    // What is in the wallet then is not its own.
    if (await hasOutstanding(transaction, userId))
      return {
        message:
          "This account was paid more than it had: it can be deleted once that is taken from what it earns, or waived",
        data: { outstanding: true },
      };
    if (await hasUnpaidEarnings(transaction, userId))
      return { message: "This account is owed something: withdraw it first" };
    if (await hasUnsettledWithdrawal(transaction, userId))
      return { message: "A withdrawal of this account is not final yet: delete it once it is" };
    return null;
  },
  async onJoined(transaction, { from, to, at }) {
    await joinEarnings(transaction, { from, to, at });
    await sql`
      update user_clients c set user_id = ${to}
      where user_id = ${from} and not exists (select from user_clients where user_id = ${to} and client_hash = c.client_hash)`.execute(
      transaction,
    );
    await transaction.deleteFrom("user_clients").where("user_id", "=", from).execute();
  },
  async onDeleted(transaction, userId) {
    await transaction.updateTable("withdrawals").set({ client_key: "" }).where("user_id", "=", userId).execute();
  },
  onMailboxProved: returnWithdrawalsInReview,
};
