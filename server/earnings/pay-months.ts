import { CodedError } from "#contract/errors.ts";
import { formatAmount } from "#contract/money.ts";
import { requireInstrument } from "../catalogue/index.ts";
import type { Schema } from "../db/schema.ts";
import { unreadSinceRestore } from "../treasury/index.ts";
import { endedMonth } from "./decisions/months.ts";
import { availableBalance } from "./outstanding.ts";
import { feeOf, minimumOf } from "./withdrawals/withdrawal-request.ts";
import { withdraw, type WithdrawParts } from "./withdrawals/withdraw.ts";

type Outcome = NonNullable<Schema["monthly_payouts"]["outcome"]>;
type Due = { userId: bigint; address: string; slug: string | null; setAt: Date; paidMonth: string };

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
 * month; what fails otherwise (a price or a network that is away) is tried again by the next run, and holds up nobody else.
 */
export async function payEndedMonths(parts: WithdrawParts): Promise<void> {
  const month = endedMonth(parts.clock.now());
  let due = await readDue(parts, month, null);
  while (due.length > 0) {
    for (const one of due) await payMonth(parts, one, month);
    due = await readDue(parts, month, due.at(-1) ?? null);
  }
}

/** The next ones in the order of months and accounts, from the one after `last` on. */
function readDue({ database }: WithdrawParts, month: string, last: Due | null): Promise<Due[]> {
  const open = database.kysely
    .selectFrom("monthly_payouts")
    .select(["user_id as userId", "address", "slug", "set_at as setAt", "month as paidMonth"])
    .where("month", "<", month);
  const next =
    last === null
      ? open
      : open.where(({ eb, refTuple, tuple }) =>
          eb(refTuple("month", "user_id"), ">", tuple(last.paidMonth, last.userId)),
        );
  return next.orderBy("month").orderBy("user_id").limit(AT_ONCE).execute();
}

async function payMonth(parts: WithdrawParts, due: Due, month: string): Promise<void> {
  const { userId } = due;
  try {
    const outcome = await withdrawAll(parts, due, month);
    if (outcome !== "paid") await close(parts.database.kysely, userId, month, outcome);
  } catch (error) {
    if (error instanceof AlreadyDoneError) return;
    parts.database.log.warn({ err: error, userId, month }, "a monthly payout failed and will be retried");
  }
}

async function withdrawAll(
  parts: WithdrawParts,
  { userId, address, setAt, ...due }: Due,
  month: string,
): Promise<Outcome> {
  const { catalogue, rates, database } = parts;
  const unread = await unreadSinceRestore(database.kysely);
  // It may have been paid after the backup, and is found then.
  if (unread !== null) throw new Error(`${unread} is not read to its tip since the database was restored`);
  const instrument = requireInstrument(catalogue, catalogue.terms.earningsSlug);
  const { slug, decimals, currencyTitle, networkTitle } = instrument;
  const coin = due.slug === null ? instrument : requireInstrument(catalogue, due.slug);
  const balance = await availableBalance(database.kysely, { userId, slug });
  if (balance < minimumOf(catalogue, instrument, feeOf({ rates }, instrument, coin), coin)) return "too_little";
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
