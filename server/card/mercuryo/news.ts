import { createHmac } from "node:crypto";
import * as z from "zod";
import type { CardDirection, CardState } from "#contract/card.ts";
import { equalsInConstantTime } from "../../base/secrets.ts";
import type { CardNews } from "../port.ts";

/**
 * Mercuryo's operations and their statuses (Widget API v1.6, "Transaction status types", and BAAS API, "Operation statuses"). A purchase is
 * `buy` and then `withdraw`, a sale `deposit` and then `sell`. `order_scheduled`: the money is held on the card. What failed after it was
 * paid goes back by itself: a failed `withdraw` to the card, a failed `sell` to where the coins came from.
 */
const STATES: Readonly<Record<string, Readonly<Record<string, CardState>>>> = {
  buy: {
    new: "opened",
    pending: "opened",
    paid: "paid",
    order_scheduled: "paid",
    cancelled: "cancelled",
    order_failed: "failed",
    descriptor_failed: "failed",
    failed_exchange: "refunded",
  },
  withdraw: {
    new: "sending",
    pending: "sending",
    order_scheduled: "sending",
    completed: "done",
    failed: "refunded",
    failed_exchange: "refunded",
  },
  deposit: { new: "opened", pending: "opened", succeeded: "paid", completed: "paid", failed: "failed" },
  sell: { new: "sending", pending: "sending", succeeded: "done", completed: "done", failed: "refunded" },
};
const RANK: Readonly<Record<CardState, number>> = {
  opened: 0,
  cancelled: 1,
  failed: 1,
  paid: 2,
  sending: 3,
  done: 4,
  refunded: 4,
};

const text = z.string().max(256);
const amount = z
  .string()
  .max(80)
  .nullish()
  .transform((value) => value || null);

/** One operation, as a callback and the list of transactions describe it. */
const operationSchema = z.object({
  id: text,
  status: text,
  merchant_transaction_id: text,
  currency: text.nullish(),
  amount,
  fiat_currency: text.nullish(),
  fiat_amount: amount,
  tx: z.object({ id: text.nullish() }).nullish(),
});
type Operation = z.output<typeof operationSchema>;

const callbackSchema = z.object({ payload: z.object({ data: operationSchema.extend({ type: text }) }) });

/** The answer of `widget/transactions`: an object for each operation, under the name of its type. */
export const transactionsSchema = z.array(z.record(z.string(), operationSchema));

/** Null for a status that no document names. */
function newsOf(type: string, operation: Operation): CardNews | null {
  const state = STATES[type]?.[operation.status];
  if (state === undefined) return null;
  return {
    merchantId: operation.merchant_transaction_id,
    state,
    reference: operation.id,
    fiat: operation.fiat_currency ?? null,
    fiatAmount: operation.fiat_amount,
    coin: operation.currency ?? null,
    coinAmount: operation.amount,
    txId: operation.tx?.id ?? null,
  };
}

const OPERATIONS: Readonly<Record<CardDirection, readonly string[]>> = {
  buy: ["buy", "withdraw"],
  sell: ["deposit", "sell"],
};

/** How far the operations of one transaction have come; null where there are none. Throws for a status that nobody knows. */
export function furthestNews(
  listed: z.output<typeof transactionsSchema>,
  merchantId: string,
  direction: CardDirection,
): CardNews | null {
  const known = listed.flatMap((operations) =>
    Object.entries(operations).flatMap(([type, operation]) => {
      if (operation.merchant_transaction_id !== merchantId || !OPERATIONS[direction].includes(type)) return [];
      const news = newsOf(type, operation);
      if (news === null) throw new RangeError(`Mercuryo reports an unknown status of ${type}`);
      return [news];
    }),
  );
  return known.reduce<CardNews | null>(
    (furthest, news) => (furthest === null || RANK[news.state] >= RANK[furthest.state] ? news : furthest),
    null,
  );
}

/** Hex HMAC-SHA256 of the raw body under the sign key (Widget API v1.6, "Callbacks signature check"). */
export const signatureOf = (rawBody: string, signKey: string): string =>
  createHmac("sha256", signKey).update(rawBody).digest("hex");

/** What a callback says: the signature is compared before anything is read. */
export function readCallback(
  rawBody: string,
  signature: string | null,
  signKey: string,
): CardNews | "forged" | "unreadable" {
  if (signature === null || !equalsInConstantTime(signature.toLowerCase(), signatureOf(rawBody, signKey)))
    return "forged";
  const parsed = callbackSchema.safeParse(parseJson(rawBody));
  if (!parsed.success) return "unreadable";
  const { data } = parsed.data.payload;
  return newsOf(data.type, data) ?? "unreadable";
}

function parseJson(rawBody: string): unknown {
  try {
    return JSON.parse(rawBody, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === "number" ? (context?.source ?? String(value)) : value,
    );
  } catch {
    return null;
  }
}
