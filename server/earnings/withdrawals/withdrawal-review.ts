import { sql, type RawBuilder, type Transaction } from "kysely";
import { parseAmount, powerOfTen } from "#contract/money.ts";
import { PRICE_DECIMALS } from "../../catalogue/index.ts";
import type { Schema } from "../../db/schema.ts";
import { withdrawalReview } from "../decisions/decide-withdrawal.ts";
import type { Withdrawer } from "../port.ts";
import { TEST_ADDRESS, type RequestParts, type WithdrawalRequest } from "./withdrawal-request.ts";

type WithdrawalHistory = {
  count: number;
  sumOfDay: bigint;
  sumToAddress: bigint;
  addressUsedSince: Date | null;
};

/**
 * What the account, its client, or anybody to the same address has asked for in the day before: the largest of the sums, so that accounts
 * are no way to split one (but in the sandbox, whose people are all one client). What was refused counts for the number alone, and what is
 * never sent for no sum.
 */
export async function readHistory(
  transaction: Transaction<Schema>,
  { userId, clientKey, addressKnownSince }: Withdrawer,
  { address, at, isSandbox }: { address: string; at: Date; isSandbox: boolean },
): Promise<WithdrawalHistory> {
  const since = new Date(at.getTime() - 86_400_000);
  const ofAccount = sql`user_id = ${userId}`;
  const ofClient = sql`client_key = ${clientKey}`;
  const toAddress = sql`address = ${address}`;
  const judged = isSandbox ? ofAccount : sql`true`;
  const count = (whose: RawBuilder<unknown>) =>
    sql`(select count(*) from withdrawals where ${whose} and created_at > ${since})`;
  const sum = (whose: RawBuilder<unknown>) =>
    sql`(select coalesce(sum(amount), 0) from withdrawals
      where ${whose} and ${judged} and created_at > ${since} and state <> 'rejected' and address <> ${TEST_ADDRESS})`;
  const { rows } = await sql<WithdrawalHistory>`
    select greatest(${count(ofAccount)}, ${count(ofClient)})::int as count,
      greatest(${sum(ofAccount)}, ${sum(ofClient)}, ${sum(toAddress)}) as "sumOfDay",
      ${sum(toAddress)} as "sumToAddress",
      (select min(created_at) from withdrawals where ${ofAccount} and ${toAddress} and state <> 'rejected') as "addressUsedSince"
    `.execute(transaction);
  if (rows[0] === undefined) throw new Error("the withdrawals of an account could not be read");
  const used = rows[0].addressUsedSince;
  const isKnownLonger = addressKnownSince !== undefined && (used === null || addressKnownSince < used);
  return isKnownLonger ? { ...rows[0], addressUsedSince: addressKnownSince } : rows[0];
}

/** Why an operator has to look at a withdrawal first; null where it is paid by itself. */
export function reviewOf(
  { catalogue: { terms }, rates }: Pick<RequestParts, "catalogue" | "rates">,
  { instrument, amount }: WithdrawalRequest,
  { sumOfDay, sumToAddress, addressUsedSince }: WithdrawalHistory,
  at: Date,
): string | null {
  const price = rates.priceUsd(instrument.slug);
  const inUsd = (sum: bigint) => (price === null ? null : (sum * price) / powerOfTen(instrument.decimals));
  return withdrawalReview(
    { usdOfDay: inUsd(sumOfDay + amount), usdToAddress: inUsd(sumToAddress + amount), addressUsedSince, at },
    { reviewUsd: usdOf(terms.withdrawalReviewUsd), newAddressUsd: usdOf(terms.withdrawalNewAddressUsd) },
  );
}

function usdOf(text: string): bigint {
  const usd = parseAmount(text, PRICE_DECIMALS);
  if (usd === null) throw new RangeError(`a limit in USD has too many decimals: ${text}`);
  return usd;
}
