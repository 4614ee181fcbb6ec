import type { Database } from "../../../server/db/database.ts";

/** What a chain shows at the addresses that partners gave out, whether we know of them or not. */
export type PartnerPayments = readonly {
  partner: string;
  partnerId: string;
  address: string;
  paid: readonly bigint[];
}[];

/** The laws of money at partners, judged on rows and chain: each violation as a text. */
export async function partnerViolations(database: Database, payments: PartnerPayments): Promise<string[]> {
  const rows = await database.kysely.selectFrom("partner_exchanges").selectAll().orderBy("id").execute();
  const found: string[] = [];
  const atRisk = new Map<string, number>();
  for (const { partner, partnerId, paid } of payments) {
    if (paid.length === 0) continue;
    const row = rows.find((one) => one.partner === partner && one.partner_id === partnerId);
    if (row === undefined) found.push(`${partner} was paid for ${partnerId}, which no row knows`);
    if (paid.length > 1) found.push(`${partner} was paid ${paid.length} times for ${partnerId}`);
    if (row !== undefined && paid[0] !== row.amount) found.push(`${partner} was paid ${paid[0]}, not ${row.amount}`);
    if (row?.state === "abandoned") found.push(`${partner} was paid for ${partnerId}, which was given up`);
    const order = row?.order_id ?? "an unknown order";
    if (row?.state !== "returned") atRisk.set(order, (atRisk.get(order) ?? 0) + 1);
  }
  for (const [order, count] of atRisk) if (count > 1) found.push(`${order} has ${count} exchanges that were paid`);
  for (const row of rows) {
    const paid = payments.find((one) => one.partner === row.partner && one.partnerId === row.partner_id)?.paid ?? [];
    if (row.state === "finished" && paid.length === 0) found.push(`an exchange is finished that was never paid`);
  }
  const held = await database.kysely
    .selectFrom("ledger_accounts")
    .select(["slug", "balance"])
    .where("name", "=", "partners")
    .execute();
  const open = rows.some((row) => ["opened", "returning", "review"].includes(row.state));
  for (const { slug, balance } of held)
    if (balance > 0n || (balance !== 0n && !open)) found.push(`partners hold ${-balance} of ${slug} for nothing`);
  return found;
}
