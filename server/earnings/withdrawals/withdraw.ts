import { createHash } from "node:crypto";
import { sql, type RawBuilder, type Transaction } from "kysely";
import { ADDRESS_UNPAYABLE } from "#contract/address-reasons.ts";
import type { CreateWithdrawalBody, WithdrawalStatus } from "#contract/earnings.ts";
import { CodedError } from "#contract/errors.ts";
import { formatAmount, parseAmount, powerOfTen, maxOf } from "#contract/money.ts";
import type { Clock } from "../../base/clock.ts";
import {
  PRICE_DECIMALS,
  readAmount,
  requireInstrument,
  type Catalogue,
  type CatalogueInstrument,
} from "../../catalogue/index.ts";
import type { NetworkReader } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction, type TransactionProbe } from "../../db/transaction.ts";
import type { Rates } from "../../rates/port.ts";
import { marketValue } from "../../rates/quote.ts";
import {
  blacklisted,
  endHold,
  findUnpayable,
  holdOf,
  isBlacklisted,
  intendPayout,
  lockAccounts,
  lockWallet,
  placeHold,
} from "../../treasury/index.ts";
import { walletOf } from "../../treasury/ledger/entries.ts";
import { withdrawalReview } from "../decisions/decide-withdrawal.ts";
import { notifyWithdrawal } from "./notify-withdrawal.ts";
import type { Withdrawer } from "../port.ts";
import { statusOf } from "../decisions/withdrawal-status.ts";

export type WithdrawParts = {
  database: Database;
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  rates: Pick<Rates, "networkFee" | "priceUsd">;
  clock: Clock;
  /** Takes the address of T and 33 ones, to which nothing is sent. */
  isSandbox: boolean;
  /** Locks whoever is signed in; throws ERR_UNAUTHORIZED where the session has ended. */
  lockSignedIn(transaction: Transaction<Schema>, by: { userId: bigint; sessionId: string }): Promise<unknown>;
  probe?: TransactionProbe;
};

/** spec §5 */
const TEST_ADDRESS = `T${"1".repeat(33)}`;
const T_ADDRESS = /^T.{33}$/u;

/** `networkFee` is in the instrument's own units; `paid` is what leaves in its place, where that is another coin. */
type Asked = {
  instrument: CatalogueInstrument;
  network: string;
  address: string;
  amount: bigint;
  networkFee: bigint;
  paid: { slug: string; amount: bigint } | null;
};

/**
 * Holds a sum of a wallet and intends its payment, or leaves that to an operator, in one transaction (contract §9). The network fee is
 * taken from the amount. The same call again, after a crash, answers with what it had stored.
 */
export async function withdraw(
  parts: WithdrawParts,
  by: Withdrawer,
  body: CreateWithdrawalBody,
  /** In the same transaction. */
  alongside: (transaction: Transaction<Schema>) => Promise<void> = async () => undefined,
): Promise<{ id: string; status: WithdrawalStatus }> {
  const callHash = by.seed === undefined ? null : createHash("sha256").update(by.seed).digest("base64url");
  const known = callHash === null || by.isFirst === true ? null : await findByCall(parts.database, callHash);
  if (known !== null) return known;
  const asked = await read(parts, body, by.paidIn);
  return inTransaction(
    parts.database,
    async (transaction) => {
      const stored = await store(parts, transaction, { ...by, callHash }, asked);
      await alongside(transaction);
      return stored;
    },
    parts.probe,
  );
}

async function findByCall({ kysely }: Database, callHash: string) {
  const row = await kysely
    .selectFrom("withdrawals as w")
    .leftJoin("payouts as p", "p.withdrawal_id", "w.id")
    .select(["w.id", "w.state", "p.state as payment"])
    .where("w.call_hash", "=", callHash)
    .executeTakeFirst();
  return row === undefined ? null : { id: `${row.id}`, status: statusOf(row.state, row.payment) };
}

/** Judges what needs no lock. */
async function read(parts: WithdrawParts, body: CreateWithdrawalBody, paidIn?: string): Promise<Asked> {
  const instrument = instrumentOf(parts.catalogue, body);
  const coin = paidIn === undefined ? instrument : requireInstrument(parts.catalogue, paidIn);
  const reader = parts.readers.get(coin.networkTitle);
  if (reader === undefined) throw notSupported(coin.networkTitle);
  const address = await readAddress(parts, reader, body.address.trim());
  const amount = readAmount(instrument, body.amount, "amount");
  const networkFee = feeOf(parts, instrument, coin);
  const minimum = minimumOf(parts.catalogue, instrument, networkFee, coin);
  if (amount < minimum)
    throw new CodedError(
      "ERR_WITHDRAWAL_TOO_SMALL",
      `${formatAmount(minimum, instrument.decimals)} ${instrument.currencyTitle} is the smallest withdrawal`,
    );
  const network = coin.networkTitle;
  if (coin.slug === instrument.slug) return { instrument, network, address, amount, networkFee, paid: null };
  const paid = { slug: coin.slug, amount: worth(parts, amount - networkFee, instrument, coin) };
  return { instrument, network, address, amount, networkFee, paid };
}

/** What paying out a coin costs, in the units of what is withdrawn; rounded up. */
export function feeOf(
  { rates }: Pick<WithdrawParts, "rates">,
  instrument: CatalogueInstrument,
  coin: CatalogueInstrument,
): bigint {
  const fee = rates.networkFee(coin.slug);
  return coin.slug === instrument.slug ? fee : worth({ rates }, fee, coin, instrument) + 1n;
}

/** At the market's price, rounded down. Throws without one. */
function worth(
  { rates }: Pick<WithdrawParts, "rates">,
  amount: bigint,
  of: CatalogueInstrument,
  coin: CatalogueInstrument,
): bigint {
  const side = ({ slug, decimals }: CatalogueInstrument) => {
    const priceUsd = rates.priceUsd(slug);
    if (priceUsd === null) throw new CodedError("ERR_SERVICE_UNAVAILABLE", `There is no price of ${slug} now`);
    return { decimals, priceUsd };
  };
  return marketValue(side(of), side(coin), amount);
}

function instrumentOf(
  { instruments, terms }: Catalogue,
  { currencyTitle, networkTitle }: CreateWithdrawalBody,
): CatalogueInstrument {
  const earned = instruments.get(terms.earningsSlug);
  if (earned === undefined || earned.networkTitle !== networkTitle) throw notSupported(networkTitle);
  if (earned.currencyTitle !== currencyTitle)
    throw new CodedError("ERR_BALANCE_NOT_FOUND", `There is no balance of ${currencyTitle}`);
  return earned;
}

const notSupported = (networkTitle: string) =>
  new CodedError("ERR_NETWORK_NOT_SUPPORTED", `Nothing can be withdrawn on ${networkTitle} now`);

/** What is withdrawn must pay for its own way, and something must arrive. */
export function minimumOf(
  { terms }: Pick<Catalogue, "terms">,
  { slug, decimals }: CatalogueInstrument,
  networkFee: bigint,
  coin: Pick<CatalogueInstrument, "slug">,
): bigint {
  const minimum = parseAmount(terms.withdrawalMinUsdt, decimals);
  if (minimum === null) throw new RangeError(`the minimum has too many decimals: ${terms.withdrawalMinUsdt}`);
  // What arrives in another coin would else be dust that its network does not carry.
  if (coin.slug !== slug) return minimum + networkFee;
  return maxOf(minimum, networkFee + 1n);
}

/** Refuses an address of withdrawals to come, paid in a coin, as `withdraw` does. */
export async function requireWithdrawalAddress(
  parts: WithdrawParts,
  { networkTitle }: CatalogueInstrument,
  address: string,
): Promise<void> {
  const reader = parts.readers.get(networkTitle);
  if (reader === undefined) throw notSupported(networkTitle);
  await readAddress(parts, reader, address);
}

/** In the network's canonical form. */
async function readAddress(parts: WithdrawParts, reader: NetworkReader, text: string): Promise<string> {
  const isOfEarnings =
    reader.networkTitle === parts.catalogue.instruments.get(parts.catalogue.terms.earningsSlug)?.networkTitle;
  if (isOfEarnings && text === TEST_ADDRESS && parts.isSandbox) return text;
  const parsed = isOfEarnings && !T_ADDRESS.test(text) ? null : reader.parseAddress(text);
  if (parsed?.valid !== true) throw refusedAddress("error_address_incorrect");
  const asked = { networkTitle: reader.networkTitle, address: parsed.canonical };
  if ((await findUnpayable(parts, [asked])) !== null) throw refusedAddress(ADDRESS_UNPAYABLE);
  if (await isBlacklisted(parts.database.kysely, [parsed.canonical])) throw blacklisted();
  return parsed.canonical;
}

const refusedAddress = (reason: string) =>
  new CodedError("ERR_VALIDATION", "The request is not valid", { data: { address: reason } });

async function store(
  parts: WithdrawParts,
  transaction: Transaction<Schema>,
  by: Withdrawer & { callHash: string | null },
  asked: Asked,
): Promise<{ id: string; status: WithdrawalStatus }> {
  const { instrument, network, address, amount, networkFee, paid } = asked;
  const { slug } = instrument;
  const at = parts.clock.now();
  // From here on withdrawals follow one another: each is judged by all those before it.
  await lockAccounts(transaction, [slug]);
  const { userId, sessionId } = by;
  if (sessionId !== undefined) await parts.lockSignedIn(transaction, { userId, sessionId });
  const balance = await lockWallet(transaction, by.userId, slug);
  if (balance === null)
    throw new CodedError("ERR_BALANCE_NOT_FOUND", `There is no balance of ${instrument.currencyTitle}`);
  const history = await readHistory(transaction, by, { address, at, isSandbox: parts.isSandbox });
  if (history.count >= parts.catalogue.terms.withdrawalsPerDay) throw tooMany();
  if (balance < amount) throw new CodedError("ERR_BALANCE_TOO_LOW", "The balance is smaller than this withdrawal");
  const isSent = address !== TEST_ADDRESS;
  const review = isSent ? reviewOf(parts, asked, history, at) : null;
  const { id } = await transaction
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
    .returning("id")
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
  return { id: `${id}`, status: statusOf(state, isSent && review === null ? "intended" : null) };
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

type History = { count: number; sumOfDay: bigint; sumToAddress: bigint; addressUsedSince: Date | null };

/**
 * What the account, its client, or anybody to the same address has asked for in the day before: the largest of the sums, so that accounts
 * are no way to split one (but in the sandbox, whose people are all one client). What was refused counts for the number alone, and what is
 * never sent for no sum.
 */
async function readHistory(
  transaction: Transaction<Schema>,
  { userId, clientKey, addressKnownSince }: Withdrawer,
  { address, at, isSandbox }: { address: string; at: Date; isSandbox: boolean },
): Promise<History> {
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
  const { rows } = await sql<History>`
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

function reviewOf(
  { catalogue: { terms }, rates }: WithdrawParts,
  { instrument, amount }: Asked,
  { sumOfDay, sumToAddress, addressUsedSince }: History,
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
