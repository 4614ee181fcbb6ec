import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { inTransaction } from "../db/transaction.ts";
import { adoptExchange } from "./adopt-exchange.ts";
import { isPartnerId } from "./partners/client.ts";
import { PartnerError, type LiquidityPartner, type PartnerAddresses } from "./port.ts";
import { wakeOrder } from "./store.ts";
import { type Operator, OperatorError, readId, readOperator, readOptions, recordAction } from "../admin/index.ts";

export const EXCHANGE_HELP = `npm run admin -- exchange retry <id> REASON --as NAME
npm run admin -- exchange accept <id> REASON --as NAME
npm run admin -- exchange adopt <id> <transaction> <id at the partner> REASON --as NAME [--to <address>] [--unconfirmed]`;

type Partners = ReadonlyMap<string, LiquidityPartner>;

/** Runs a command on an exchange at one of `partners`. Null for another command. Throws `OperatorError`. */
export async function runExchangeCommand(
  database: Database,
  given: readonly string[],
  partners: Partners = new Map(),
): Promise<string | null> {
  if (given[0] !== "exchange") return null;
  if (given[1] === "adopt") return adopt({ database, partners }, given.slice(2));
  const { words, options } = readOptions(given.slice(1));
  const [command = "", id, ...why] = words;
  const operator = readOperator(options, why);
  if (command === "accept") {
    await acceptDelivery(database, operator, readId(id, EXCHANGE_HELP));
    return `exchange ${id}: accept, by ${operator.name}. Its order ends with what was delivered.`;
  }
  if (command !== "retry") throw new OperatorError(`"exchange ${command}" is no command.\n${EXCHANGE_HELP}`);
  await retryExchange(database, operator, readId(id, EXCHANGE_HELP));
  return `exchange ${id}: retry, by ${operator.name}. A worker asks the partner again.`;
}

async function adopt(
  { database, partners }: { database: Database; partners: Partners },
  given: readonly string[],
): Promise<string> {
  const { words, options } = readOptions(given, ["as", "to", "unconfirmed"]);
  const [id, txId = "", partnerId = "", ...why] = words;
  const operator = readOperator(options, why);
  const named = { id: readId(id, EXCHANGE_HELP), txId, partnerId, to: options.to ?? null };
  const answer = await askPartner({ database, partners }, named);
  if (!answer.isAnswered && options.unconfirmed !== true)
    throw new OperatorError(
      `Nobody confirms that ${partnerId} is exchange ${id}: ${answer.reason}. Once you have looked up its deposit address and its destination there, say --unconfirmed.`,
    );
  const reported = answer.isAnswered ? answer.addresses : null;
  await adoptExchange(database, operator, { ...named, reported, at: new Date() });
  return `exchange ${id}: adopt, by ${operator.name}. ${txId} has paid it, and a worker asks its partner.`;
}

/** What the partner of an exchange says of `partnerId`. Throws `OperatorError` where it has no such exchange. */
async function askPartner(
  { database, partners }: { database: Database; partners: Partners },
  { id, partnerId }: { id: bigint; partnerId: string },
): Promise<{ isAnswered: true; addresses: PartnerAddresses } | { isAnswered: false; reason: string }> {
  if (!isPartnerId(partnerId)) throw new OperatorError(`"${partnerId}" is no id of an exchange.`);
  const exchanges = database.kysely.selectFrom("partner_exchanges").select("partner").where("id", "=", id);
  const code = (await exchanges.executeTakeFirst())?.partner;
  if (code === undefined) throw new OperatorError(`There is no exchange ${id}.`);
  const partner = partners.get(code);
  if (partner === undefined) return { isAnswered: false, reason: `${code} is not configured here` };
  try {
    const addresses = await partner.addresses(partnerId);
    if (addresses === null) throw new OperatorError(`${code} has no exchange ${partnerId}.`);
    return { isAnswered: true, addresses };
  } catch (error) {
    if (error instanceof PartnerError)
      return { isAnswered: false, reason: `${code} did not answer (${error.message})` };
    throw error;
  }
}

/** Lets a worker ask the partner of an exchange in review again, after the partner has said or done what was missing. */
async function retryExchange(database: Database, operator: Operator, id: bigint): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const exchange = await transaction
      .selectFrom("partner_exchanges")
      .select(["state", "reason", "partner_id"])
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (exchange === undefined) throw new OperatorError(`There is no exchange ${id}.`);
    if (exchange.state !== "review") throw new OperatorError(`Exchange ${id} is ${exchange.state}, not in review.`);
    const state = exchange.partner_id === null ? "intended" : "opened";
    await transaction
      .updateTable("partner_exchanges")
      .set({ state, reason: null, doubted_tx_id: null, doubted_amount: null, next_attempt_at: sql<Date>`now()` })
      .where("id", "=", id)
      .execute();
    const before = { state: exchange.state, reason: exchange.reason };
    await recordAction(transaction, operator, {
      action: "exchange retry",
      subject: `exchange ${id}`,
      before,
      after: { state },
    });
  });
}

/** Ends an exchange in review with what it has delivered, which is not what was expected. */
async function acceptDelivery(database: Database, operator: Operator, id: bigint): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const exchange = await transaction
      .selectFrom("partner_exchanges")
      .select(["state", "reason", "order_id", "doubted_tx_id", "doubted_amount"])
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (exchange === undefined) throw new OperatorError(`There is no exchange ${id}.`);
    const { state, reason, order_id, doubted_tx_id: txId, doubted_amount: delivered } = exchange;
    if (state !== "review") throw new OperatorError(`Exchange ${id} is ${state}, not in review.`);
    if (txId === null || delivered === null)
      throw new OperatorError(`Exchange ${id} has delivered nothing that could be accepted: ${reason}.`);
    await transaction
      .updateTable("partner_exchanges")
      .set({
        state: "finished",
        reason: null,
        payout_tx_id: txId,
        delivered,
        doubted_tx_id: null,
        doubted_amount: null,
        next_attempt_at: null,
      })
      .where("id", "=", id)
      .execute();
    await wakeOrder(transaction, order_id);
    await recordAction(transaction, operator, {
      action: "exchange accept",
      subject: `exchange ${id}`,
      before: { state, reason },
      after: { state: "finished", txId, delivered },
    });
  });
}
