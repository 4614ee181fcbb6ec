import { sql, type Transaction } from "kysely";
import { isSameAddress } from "#contract/address.ts";
import { type Operator, OperatorError, recordAction } from "../admin/index.ts";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { bookUnknownPayment, intendPayout, isOursSql, paysSchema } from "../treasury/index.ts";
import type { PartnerAddresses } from "./port.ts";
import { isTakenId, lockExchange, type ExchangeRow } from "./store.ts";

/**
 * `to`: the deposit address at the partner, where the chain doesn't show whom a payment pays. `reported`: what the partner has by that id; null
 * where nobody could ask it and an operator has looked it up.
 */
type Adoption = {
  id: bigint;
  txId: string;
  partnerId: string;
  to: string | null;
  reported: PartnerAddresses | null;
  at: Date;
};
type Funded = { network: string; height: number | null; to: string };

/**
 * Makes an intended exchange the one that was opened and paid after the backup that was restored: the partner knows it by `partnerId`, and
 * the payment that no row knows is the one that funded it. Throws `OperatorError` where that payment can't be.
 */
export async function adoptExchange(database: Database, operator: Operator, adoption: Adoption): Promise<void> {
  const { id, txId, partnerId, at } = adoption;
  await inTransaction(database, async (transaction) => {
    const exchange = await intendedExchange(transaction, id);
    const { network, to, height } = await fundingOf(transaction, exchange, adoption);
    if (adoption.reported !== null) requireReported(exchange, to, { partnerId, reported: adoption.reported });
    if (await isTakenId(transaction, exchange, partnerId))
      throw new OperatorError(`${partnerId} is another exchange at ${exchange.partner}.`);
    await transaction
      .updateTable("partner_exchanges")
      .set({
        state: "opened",
        reason: null,
        openings: Math.max(1, exchange.openings),
        partner_id: partnerId,
        deposit_address: to,
        opened_at: at,
        // What it delivered is in a later block than what paid it.
        opened_height: exchange.toNetwork === network && height !== null ? height - 1 : null,
        next_attempt_at: sql<Date>`now()`,
      })
      .where("id", "=", id)
      .execute();
    const { from_slug: slug, amount } = exchange;
    const funding = {
      source: { exchangeId: id },
      purpose: "funding",
      network,
      slug,
      toAddress: to,
      toMemo: null,
      amount,
    };
    await intendPayout(transaction, { ...funding, purpose: "funding" }, at);
    const payout = await transaction
      .selectFrom("payouts")
      .select("id")
      .where("exchange_id", "=", id)
      .executeTakeFirstOrThrow();
    await bookUnknownPayment(transaction, { network, txId, payoutId: payout.id, at }, () => {
      throw new Error("what funds an exchange is booked as it is");
    });
    await recordAction(transaction, operator, {
      action: "exchange adopt",
      subject: `exchange ${id}`,
      before: { state: exchange.state },
      after: { state: "opened", partnerId, network, txId, payment: payout.id, confirmed: adoption.reported !== null },
    });
  });
}

/** Of two exchanges of one coin and amount each has its own deposit address and its own customer. */
function requireReported(
  { id, partner, to_address: destination, to_memo: memo }: ExchangeRow,
  to: string,
  { partnerId, reported }: { partnerId: string; reported: PartnerAddresses },
): void {
  const { deposit, destination: pays, destinationMemo = memo } = reported;
  if (deposit === null || pays === null)
    throw new OperatorError(`${partner} does not say yet where ${partnerId} is paid and whom it pays: try again.`);
  if (!isSameAddress(deposit, to))
    throw new OperatorError(`By ${partner}, ${partnerId} is paid at ${deposit}, and not at ${to}.`);
  if (!isSameAddress(pays, destination) || destinationMemo !== memo)
    throw new OperatorError(`By ${partner}, ${partnerId} pays ${pays}, and not the customer of exchange ${id}.`);
}

async function intendedExchange(transaction: Transaction<Schema>, id: bigint) {
  const known = await transaction
    .selectFrom("partner_exchanges")
    .innerJoin("orders", "orders.id", "partner_exchanges.order_id")
    .select([
      sql<string>`orders.snapshot#>>'{terms,from,networkTitle}'`.as("network"),
      sql<string>`orders.snapshot#>>'{terms,to,networkTitle}'`.as("toNetwork"),
    ])
    .where("partner_exchanges.id", "=", id)
    .executeTakeFirst();
  if (known === undefined) throw new OperatorError(`There is no exchange ${id}.`);
  const exchange = await lockExchange(transaction, id);
  if (exchange.state !== "intended")
    throw new OperatorError(`Exchange ${id} is ${exchange.state}: only one that is still to be opened can be adopted.`);
  return { ...exchange, ...known };
}

/** Where the unknown payment sent just what the exchange is to be paid. */
async function fundingOf(
  transaction: Transaction<Schema>,
  { id, network, from_slug: slug, amount }: Awaited<ReturnType<typeof intendedExchange>>,
  { txId, to: named }: Adoption,
): Promise<Funded> {
  const unknown = await transaction
    .selectFrom("unknown_payments")
    .select(["pays", "height", "sent_slug as sentSlug", "sent_amount as sentAmount"])
    .where("network", "=", network)
    .where("tx_id", "=", txId)
    .where("decision", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (unknown === undefined) throw new OperatorError(`${network} has no undecided payment ${txId}.`);
  const pays = paysSchema.parse(unknown.pays);
  const [paid, ...others] = (pays ?? []).filter((one) => one.slug === slug && BigInt(one.amount) === amount);
  const isOtherSum = unknown.sentAmount !== null && (unknown.sentSlug !== slug || unknown.sentAmount !== amount);
  if (pays === null ? isOtherSum : paid === undefined || others.length > 0)
    throw new OperatorError(`${txId} does not pay just what exchange ${id} is to be paid.`);
  const to = paid?.to ?? named;
  if (to === null)
    throw new OperatorError(`What ${txId} pays is hidden: name the deposit address of the exchange with --to ADDRESS.`);
  if (named !== null && named !== to) throw new OperatorError(`${txId} pays ${to}.`);
  const { rows } = await sql<{ ours: boolean }>`select ${sql.raw(isOursSql("v.network", "v.address"))} as ours
    from (values (${network}::text, ${to}::text)) v (network, address)`.execute(transaction);
  if (rows[0]?.ours !== false) throw new OperatorError(`${to} is an address of ours.`);
  return { network, height: unknown.height, to };
}
