import { CodedError } from "#contract/errors.ts";
import { formatAmount } from "#contract/money.ts";
import { requireInstrument } from "../../catalogue/index.ts";
import type { Schema } from "../../db/schema.ts";
import { walletOf } from "../../treasury/ledger/entries.ts";
import { endedMonth } from "../decisions/months.ts";
import { feeOf, minimumOf, withdraw, type WithdrawParts } from "../withdrawals/withdraw.ts";

type Outcome = NonNullable<Schema["monthly_payouts"]["outcome"]>;
type Due = { userId: bigint; address: string; slug: string | null; setAt: Date };

const AT_ONCE = 100;
const OUTCOMES: { readonly [Code in CodedError["code"]]?: Outcome } = {
  ERR_WITHDRAWAL_TOO_SMALL: "too_little",
  ERR_BALANCE_NOT_FOUND: "too_little",
  // The address is listed, or has become one of ours, since it was set.
  ERR_FORBIDDEN: "refused",
  ERR_VALIDATION: "refused",
};

/** Another run has dealt with the month meanwhile: its withdrawal stands, and this one is undone. */
class AlreadyDoneError extends Error {}

/**
 * Withdraws the wallets whose accounts asked for it, once for each month that has ended. What is below the minimum stays for the next
 * month; what fails otherwise (a price or a network that is away) is tried again by the next run. True when there may be more.
 */
export async function payEndedMonths(parts: WithdrawParts): Promise<boolean> {
  const month = endedMonth(parts.clock.now());
  const due = await parts.database.kysely
    .selectFrom("monthly_payouts")
    .select(["user_id as userId", "address", "slug", "set_at as setAt"])
    .where("month", "<", month)
    .orderBy("month")
    .orderBy("user_id")
    .limit(AT_ONCE)
    .execute();
  let done = 0;
  for (const one of due) if (await payMonth(parts, one, month)) done += 1;
  return due.length === AT_ONCE && done > 0;
}

async function payMonth(parts: WithdrawParts, due: Due, month: string): Promise<boolean> {
  const { userId } = due;
  try {
    const outcome = await withdrawAll(parts, due, month);
    if (outcome !== "paid") await close(parts.database.kysely, userId, month, outcome);
    return true;
  } catch (error) {
    if (error instanceof AlreadyDoneError) return true;
    parts.database.log.warn({ err: error, userId, month }, "a monthly payout is tried again later");
    return false;
  }
}

async function withdrawAll(
  parts: WithdrawParts,
  { userId, address, setAt, ...due }: Due,
  month: string,
): Promise<Outcome> {
  const { catalogue, rates, database } = parts;
  const instrument = requireInstrument(catalogue, catalogue.terms.earningsSlug);
  const { slug, decimals, currencyTitle, networkTitle } = instrument;
  const coin = due.slug === null ? instrument : requireInstrument(catalogue, due.slug);
  const wallet = await database.kysely
    .selectFrom("ledger_accounts")
    .select("balance")
    .where("name", "=", walletOf(userId))
    .where("slug", "=", slug)
    .executeTakeFirst();
  const balance = wallet?.balance ?? 0n;
  if (balance < minimumOf(catalogue, instrument, feeOf({ rates }, instrument, coin))) return "too_little";
  const body = { currencyTitle, networkTitle, address, amount: formatAmount(balance, decimals) };
  // Counted as a client of its own: nobody else's withdrawals are in the way of it, nor it in theirs.
  const by = {
    userId,
    clientKey: `monthly payout ${userId}`,
    seed: `monthly payout ${userId} ${month}`,
    paidIn: coin.slug,
  };
  try {
    await withdraw(parts, { ...by, isFirst: true, addressKnownSince: setAt }, body, async (transaction) => {
      if (!(await close(transaction, userId, month, "paid"))) throw new AlreadyDoneError();
    });
    return "paid";
  } catch (error) {
    const outcome = error instanceof CodedError ? OUTCOMES[error.code] : undefined;
    if (outcome === undefined) throw error;
    return outcome;
  }
}

/** False where it is closed already, or the account no longer wants it. */
async function close(
  db: Pick<WithdrawParts["database"]["kysely"], "updateTable">,
  userId: bigint,
  month: string,
  outcome: Outcome,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("monthly_payouts")
    .set({ month, outcome })
    .where("user_id", "=", userId)
    .where("month", "<", month)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
