import type { Transaction } from "kysely";
import type { CreateWithdrawalBody, WithdrawalStatus } from "#contract/accounts/earnings.ts";
import { CodedError } from "#contract/errors.ts";
import { sha256 } from "../../base/secrets.ts";
import type { Clock } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction, isUniqueViolation, type TransactionProbe } from "../../db/transaction.ts";
import { endHold, holdOf, intendPayout, lockAccounts, placeHold, withdrawalStop } from "../../treasury/index.ts";
import { walletOf } from "../../treasury/ledger/entries.ts";
import { takeOutstanding } from "../outstanding.ts";
import { notifyWithdrawal } from "./notify-withdrawal.ts";
import type { Withdrawer } from "../port.ts";
import { statusOf } from "../decisions/withdrawal-status.ts";
import { readRequest, TEST_ADDRESS, type RequestParts, type WithdrawalRequest } from "./withdrawal-request.ts";
import { readHistory, reviewOf } from "./withdrawal-review.ts";

/** Why an operator looks at a withdrawal first whose sum may have been paid before a restore. */
const UNKNOWN_PAYMENTS = "unknown_payments";

export type WithdrawParts = RequestParts & {
  clock: Clock;
  /** Locks whoever is signed in; throws ERR_UNAUTHORIZED where the session has ended. */
  lockSignedIn(transaction: Transaction<Schema>, by: { userId: bigint; sessionId: string }): Promise<unknown>;
  probe?: TransactionProbe;
};

/**
 * Holds a sum of a wallet and intends its payment, or leaves that to an operator, in one transaction (contract §9). The network fee is
 * taken from the amount. The same call again, after a crash or beside one whose lease was lost, answers with what was stored.
 */
export async function withdraw(
  parts: WithdrawParts,
  by: Withdrawer,
  body: CreateWithdrawalBody,
  /** In the same transaction. */
  alongside: (transaction: Transaction<Schema>) => Promise<void> = async () => undefined,
): Promise<{ id: string; status: WithdrawalStatus }> {
  const callHash = by.seed === undefined ? null : sha256(by.seed).toString("base64url");
  const known = callHash === null || by.isFirst === true ? null : await findByCall(parts.database, callHash);
  if (known !== null) return known;
  try {
    const asked = await readRequest(parts, body, by.paidIn);
    return await inTransaction(
      parts.database,
      async (transaction) => {
        const stored = await store(parts, transaction, { ...by, callHash }, asked);
        await alongside(transaction);
        return stored;
      },
      parts.probe,
    );
  } catch (error) {
    // An equal call whose lease was lost may have taken the balance that this one lacks.
    const isRefused = error instanceof CodedError || isUniqueViolation(error);
    const other = callHash === null || !isRefused ? null : await findByCall(parts.database, callHash);
    if (other === null) throw error;
    return other;
  }
}

async function findByCall({ kysely }: Database, callHash: string) {
  const row = await kysely
    .selectFrom("withdrawals as w")
    .leftJoin("payouts as p", "p.withdrawal_id", "w.id")
    .select(["w.public_id", "w.state", "p.state as payment"])
    .where("w.call_hash", "=", callHash)
    .executeTakeFirst();
  return row === undefined ? null : { id: row.public_id, status: statusOf(row.state, row.payment) };
}

async function store(
  parts: WithdrawParts,
  transaction: Transaction<Schema>,
  by: Withdrawer & { callHash: string | null },
  asked: WithdrawalRequest,
): Promise<{ id: string; status: WithdrawalStatus }> {
  const { instrument, network, address, amount, networkFee, paid } = asked;
  const { slug } = instrument;
  const at = parts.clock.now();
  // From here on withdrawals follow one another: each is judged by all those before it.
  await lockAccounts(transaction, [slug]);
  const { userId, sessionId } = by;
  if (sessionId !== undefined) await parts.lockSignedIn(transaction, { userId, sessionId });
  const balance = await takeOutstanding(transaction, { userId, slug }, at);
  if (balance === null)
    throw new CodedError("ERR_BALANCE_NOT_FOUND", `There is no balance of ${instrument.currencyTitle}`);
  const history = await readHistory(transaction, by, { address, at, isSandbox: parts.isSandbox });
  if (history.count >= parts.catalogue.terms.withdrawalsPerDay) throw tooMany();
  if (balance < amount) throw new CodedError("ERR_BALANCE_TOO_LOW", "The balance is smaller than this withdrawal");
  const isSent = address !== TEST_ADDRESS;
  const stop = isSent ? await withdrawalStop(transaction, { network, address }) : null;
  const judged = isSent ? reviewOf(parts, asked, history, at) : null;
  // Whoever approves it sees both.
  const review = stop === null ? judged : [UNKNOWN_PAYMENTS, ...(judged === null ? [] : [judged])].join(", ");
  const { id, public_id } = await transaction
    .insertInto("withdrawals")
    .values({
      user_id: by.userId,
      slug,
      network,
      address,
      amount,
      network_fee: networkFee,
      paid_slug: paid?.slug ?? null,
      paid_amount: paid?.amount ?? null,
      state: review === null ? "approved" : "review",
      review_reason: review,
      client_key: by.clientKey,
      call_hash: by.callHash,
      created_at: at,
    })
    .returning(["id", "public_id"])
    .executeTakeFirstOrThrow();
  await placeHold(transaction, { sourceId: holdOf(id), account: walletOf(by.userId), slug, amount, at });
  if (!isSent) {
    await endHold(transaction, holdOf(id), { kind: "unsent" }, at);
    await transaction.updateTable("withdrawals").set({ state: "settled", ended_at: at }).where("id", "=", id).execute();
  } else if (review === null) {
    const as = { paidSlug: paid?.slug ?? null, paidAmount: paid?.amount ?? null };
    await payWithdrawal(transaction, { id, slug, network, address, amount, networkFee, ...as }, at);
  }
  const event = review === null ? "requested" : "in_review";
  await notifyWithdrawal(transaction, id, isSent ? event : "paid");
  const state = isSent ? (review === null ? "approved" : "review") : "settled";
  return { id: public_id, status: statusOf(state, isSent && review === null ? "intended" : null) };
}

const tooMany = () =>
  new CodedError("ERR_BAD_REQUEST", "Too many withdrawals in one day", { httpStatus: 429, retryAfterSeconds: 3_600 });

/** Intends the payment of an approved withdrawal. */
export async function payWithdrawal(
  transaction: Transaction<Schema>,
  withdrawal: {
    id: bigint;
    slug: string;
    network: string;
    address: string;
    amount: bigint;
    networkFee: bigint;
    paidSlug: string | null;
    paidAmount: bigint | null;
  },
  at: Date,
): Promise<void> {
  const { id, network, address: toAddress } = withdrawal;
  await intendPayout(
    transaction,
    {
      source: { withdrawalId: id },
      purpose: "withdrawal",
      network,
      slug: withdrawal.paidSlug ?? withdrawal.slug,
      toAddress,
      toMemo: null,
      amount: withdrawal.paidAmount ?? withdrawal.amount - withdrawal.networkFee,
    },
    at,
  );
}
