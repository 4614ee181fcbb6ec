import { CodedError } from "#contract/errors.ts";
import type { MonthlyPayout, SetMonthlyPayoutBody } from "#contract/accounts/earnings.ts";
import type { Kysely } from "kysely";
import { MONTHLY_PAYOUT_COINS, requireInstrument } from "../catalogue/index.ts";
import type { Schema } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { enqueueAccountMessage } from "../notifications/index.ts";
import { endedMonth, endOfMonth } from "./decisions/months.ts";
import type { Withdrawer } from "./port.ts";
import { requireWithdrawalAddress } from "./withdrawals/withdrawal-request.ts";
import type { WithdrawParts } from "./withdrawals/withdraw.ts";

const OUTCOMES = { paid: "PAID", too_little: "TOO_LITTLE", refused: "REFUSED" } as const;

/** What monthly payouts can be paid in now, the currency of earnings first. */
function choicesOf({ catalogue, readers }: Pick<WithdrawParts, "catalogue" | "readers">): string[] {
  const { earningsSlug } = catalogue.terms;
  const canPay = (slug: string) => {
    const coin = catalogue.instruments.get(slug);
    return coin?.isActive === true && readers.has(coin.networkTitle);
  };
  return [earningsSlug, ...MONTHLY_PAYOUT_COINS.filter((slug) => slug !== earningsSlug && canPay(slug))];
}

/** What an account has asked for, and what came of it last. */
export async function readMonthlyPayout(
  parts: Pick<WithdrawParts, "clock" | "catalogue" | "readers">,
  kysely: Kysely<Schema>,
  userId: bigint,
): Promise<MonthlyPayout> {
  const row = await kysely
    .selectFrom("monthly_payouts")
    .select(["address", "slug", "set_at as setAt", "outcome"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return {
    address: row?.address ?? null,
    slug: row?.slug ?? parts.catalogue.terms.earningsSlug,
    choices: choicesOf(parts),
    since: row?.setAt.toISOString() ?? null,
    nextAt: endOfMonth(parts.clock.now()).toISOString(),
    lastOutcome: row?.outcome == null ? null : OUTCOMES[row.outcome],
  };
}

/**
 * Sets the address that an account's wallet is withdrawn to after each month, and the coin that it gets, or ends that with null; its person is notified of either. The
 * month that is running is the first one that is paid out.
 */
export async function setMonthlyPayout(
  parts: WithdrawParts,
  { userId, sessionId }: Pick<Withdrawer, "userId" | "sessionId">,
  body: SetMonthlyPayoutBody,
): Promise<MonthlyPayout> {
  // Kept as it was given: each withdrawal reads it anew.
  const address = body.address?.trim() ?? null;
  const { earningsSlug } = parts.catalogue.terms;
  const slug = body.slug ?? earningsSlug;
  if (address !== null) {
    if (!choicesOf(parts).includes(slug))
      throw new CodedError("ERR_VALIDATION", "The request is not valid", { data: { slug: "can't be paid out" } });
    await requireWithdrawalAddress(parts, requireInstrument(parts.catalogue, slug), address);
  }
  const now = parts.clock.now();
  return inTransaction(
    parts.database,
    async (transaction) => {
      if (sessionId !== undefined) await parts.lockSignedIn(transaction, { userId, sessionId });
      const before = await readMonthlyPayout(parts, transaction, userId);
      if (before.address === address && (address === null || before.slug === slug)) return before;
      if (address === null) await transaction.deleteFrom("monthly_payouts").where("user_id", "=", userId).execute();
      else {
        const set = { address, slug: slug === earningsSlug ? null : slug, set_at: now };
        await transaction
          .insertInto("monthly_payouts")
          .values({ user_id: userId, ...set, month: endedMonth(now) })
          .onConflict((conflict) => conflict.column("user_id").doUpdateSet(set))
          .execute();
      }
      const topic = address === null ? "monthly_payout_off" : "monthly_payout_set";
      await enqueueAccountMessage(transaction, {
        userId,
        topic,
        subject: "monthly payout",
        sourceKey: `${topic} ${now.toISOString()}`,
      });
      return readMonthlyPayout(parts, transaction, userId);
    },
    parts.probe,
  );
}
