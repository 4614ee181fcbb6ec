import { sql, type Kysely } from "kysely";
import { shorten } from "#contract/site/short-address.ts";
import { formatAmount } from "#contract/money.ts";
import type { Locale } from "#contract/locale.ts";
import { fixedT } from "../base/i18n.ts";
import type { Schema } from "../db/schema.ts";
import type { AccountContext } from "./message-text.ts";

/** Which withdrawal a message is about, as it is when the message is sent: the amount, the address and, once it was sent, the transaction. */
export async function withdrawalDetails(
  db: Kysely<Schema>,
  id: string,
  locale: Locale,
  { nameOf, decimalsOf }: AccountContext,
): Promise<string[]> {
  const row = await db
    .selectFrom("withdrawals as w")
    .select(["w.slug", "w.amount", "w.network_fee as networkFee", "w.address"])
    .select((is) =>
      is
        .selectFrom("payouts as p")
        .innerJoin("payout_attempts as a", "a.payout_id", "p.id")
        .select("a.tx_id")
        .whereRef("p.withdrawal_id", "=", "w.id")
        .where("a.status", "=", "mined")
        .orderBy("a.n", "desc")
        .limit(1)
        .as("txId"),
    )
    .where("w.id", "=", sql<bigint>`${id}::bigint`)
    .executeTakeFirst();
  const decimals = row === undefined ? null : decimalsOf(row.slug);
  if (row === undefined || decimals === null) return [];
  const t = fixedT(locale, "mail");
  const text = (amount: bigint) => t("amount", { amount: formatAmount(amount, decimals), ...nameOf(row.slug) });
  const values = { amount: text(row.amount), fee: text(row.networkFee), address: shorten(row.address) };
  return [t("account.withdrawal", values), ...(row.txId === null ? [] : [t("transaction", { txId: row.txId })])];
}
