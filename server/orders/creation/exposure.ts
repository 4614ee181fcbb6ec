import { PRICE_DECIMALS } from "../../catalogue/index.ts";
import { sql, type Transaction } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { parseAmount, powerOfTen, WHOLE_BPS } from "#contract/money.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { OrderTerms } from "../decisions/order.ts";
import type { Client } from "../port.ts";

const RETRY_SECONDS = 60;
/** A network's clients may be many people, or one who has all its addresses: of orders it has so many times a client's number. */
const NETWORK_ORDERS = 4;
/** Of a pair's budget it has so many times a client's share. */
const NETWORK_SHARES = 2n;
/**
 * The last tenth of a pair's budget is for clients who have no other fixed order of the pair, and for orders of at most a hundredth of the
 * budget, so that a few clients can't end every fixed rate.
 */
const RESERVED_PARTS = 10n;
const SMALL_PARTS = 100n;

export type ExposureLimits = {
  client: Client;
  now: Date;
  ordersPerClient: number;
  pairUsd: string;
  clientShareBps: bigint;
};

/**
 * A fixed rate that is not paid yet and an open offer are free options: only so many live ones for a client, only so much for a
 * pair (engine law 13, contract §1), and of that only a share for one client. Throws a CodedError over any of them.
 */
export async function guardFixedExposure(
  transaction: Transaction<Schema>,
  terms: OrderTerms,
  limits: ExposureLimits,
): Promise<void> {
  const { client } = limits;
  const lock = (kind: string, name: string) =>
    sql`select pg_advisory_xact_lock(hashtext(${kind}), hashtext(${name}))`.execute(transaction);
  // The client's first, in every transaction: its orders of other pairs count too.
  await lock("fixed_exposure_client", client.network ?? client.key);
  await lock("fixed_exposure", terms.from.slug + terms.to.slug);
  const { rows } = await sql<{ mine: number; network: number }>`
    select (select count(*) from orders where client_key = ${client.key} and exposed_until > ${limits.now})::int as mine,
      (select count(*) from orders where client_network = ${client.network ?? null} and exposed_until > ${limits.now})::int as network`.execute(
    transaction,
  );
  const [live = { mine: 0, network: 0 }] = rows;
  if (live.mine >= limits.ordersPerClient || live.network >= limits.ordersPerClient * NETWORK_ORDERS)
    throw tooManyUnpaid("Too many fixed-rate orders wait for their deposit");

  const { rows: sums } = await sql<{ pair: bigint; mine: bigint; network: bigint }>`
    select coalesce(sum(exposed_amount), 0) as pair,
      coalesce(sum(exposed_amount) filter (where client_key = ${client.key}), 0) as mine,
      coalesce(sum(exposed_amount) filter (where client_network = ${client.network ?? null}), 0) as network
    from orders where exposed_until > ${limits.now} and from_slug = ${terms.from.slug} and to_slug = ${terms.to.slug}`.execute(
    transaction,
  );
  const [promised = { pair: 0n, mine: 0n, network: 0n }] = sums;
  const max = parseAmount(limits.pairUsd, PRICE_DECIMALS);
  if (max === null) throw new Error("fixedExposureUsd is no decimal");
  const share = (max * limits.clientShareBps) / WHOLE_BPS;
  const usdWithThis = (before: bigint): bigint =>
    ((before + terms.claimedDepositAmount) * terms.quoted.market.fromPriceUsd) / powerOfTen(terms.from.decimals);
  const isLarge = usdWithThis(0n) * SMALL_PARTS > max;
  const isAnother = promised.mine > 0n || promised.network > 0n;
  const budget = isAnother || (isLarge && promised.pair > 0n) ? max - max / RESERVED_PARTS : max;
  // A client's only order may be as large as the pair allows.
  const isOverShare = (before: bigint, shares: bigint): boolean => before > 0n && usdWithThis(before) > share * shares;
  if (
    usdWithThis(promised.pair) > budget ||
    isOverShare(promised.mine, 1n) ||
    isOverShare(promised.network, NETWORK_SHARES)
  )
    throw new CodedError("ERR_NOT_ACCEPTABLE", "No fixed rate for this pair now");
}

/**
 * Each unpaid order is an address that is watched until it expires, or a card provider that is asked: only so many for a client. Orders that are made at the same moment may
 * exceed it by their number. Throws a CodedError.
 */
export async function guardUnpaidOrders({ kysely }: Database, client: Client, perClient: number): Promise<void> {
  const isFull = (column: "client_key" | "client_network", value: string | null, max: number) =>
    sql`exists (select from orders where ${sql.ref(column)} = ${value}
      and (state = 'awaiting_deposit' or unpaid_until is not null) offset ${max - 1} limit 1)`;
  const { rows } = await sql<{ is_full: boolean }>`
    select ${isFull("client_key", client.key, perClient)}
      or ${isFull("client_network", client.network ?? null, perClient * NETWORK_ORDERS)} as is_full`.execute(kysely);
  if (rows[0]?.is_full) throw tooManyUnpaid("Too many orders wait for their deposit");
}

const tooManyUnpaid = (message: string): CodedError =>
  new CodedError("ERR_BAD_REQUEST", message, { httpStatus: 429, retryAfterSeconds: RETRY_SECONDS });
