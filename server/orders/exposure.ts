import { sql, type Transaction } from "kysely";
import { CodedError } from "#contract/errors.ts";
import { parseAmount } from "#contract/money.ts";
import type { Schema } from "../db/schema.ts";
import type { OrderTerms } from "./order.ts";

const USD_DECIMALS = 18;
const RETRY_SECONDS = 60;

export type ExposureLimits = { clientKey: string; now: Date; ordersPerClient: number; pairUsd: string };

/**
 * A fixed rate that is not paid yet and an open offer are free options: only so many live ones for a client, and only so much for a
 * pair (engine law 13, contract §1). Throws a CodedError over either.
 */
export async function guardFixedExposure(
  transaction: Transaction<Schema>,
  terms: OrderTerms,
  limits: ExposureLimits,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('fixed_exposure'), hashtext(${terms.from.slug + terms.to.slug}))`.execute(
    transaction,
  );
  const live = transaction.selectFrom("orders").where("exposed_until", ">", limits.now);

  const mine = await live
    .where("client_key", "=", limits.clientKey)
    .select((build) => build.fn.countAll<bigint>().as("count"))
    .executeTakeFirstOrThrow();
  if (mine.count >= BigInt(limits.ordersPerClient)) {
    throw new CodedError("ERR_BAD_REQUEST", "Too many fixed-rate orders wait for their deposit", {
      httpStatus: 429,
      retryAfterSeconds: RETRY_SECONDS,
    });
  }

  const pair = await live
    .where("from_slug", "=", terms.from.slug)
    .where("to_slug", "=", terms.to.slug)
    .select((build) => build.fn.sum<bigint | null>("exposed_amount").as("promised"))
    .executeTakeFirstOrThrow();
  const promised = (pair.promised ?? 0n) + terms.claimedDepositAmount;
  const usd = (promised * terms.quoted.market.fromPriceUsd) / 10n ** BigInt(terms.from.decimals);
  const max = parseAmount(limits.pairUsd, USD_DECIMALS);
  if (max === null) throw new Error("fixedExposureUsd is no decimal");
  if (usd > max) throw new CodedError("ERR_NOT_ACCEPTABLE", "No fixed rate for this pair now");
}
