import type { CardState } from "#contract/card.ts";
import { formatAmount } from "#contract/money.ts";
import type { SandboxTransaction } from "./store.ts";

/** The operation of Mercuryo's documents that each state is. */
const OPERATIONS: Readonly<
  Record<SandboxTransaction["direction"], Readonly<Record<CardState, readonly [string, string]>>>
> = {
  buy: {
    opened: ["buy", "new"],
    paid: ["buy", "paid"],
    sending: ["withdraw", "pending"],
    done: ["withdraw", "completed"],
    cancelled: ["buy", "cancelled"],
    failed: ["buy", "order_failed"],
    refunded: ["withdraw", "failed"],
  },
  sell: {
    opened: ["deposit", "new"],
    paid: ["deposit", "succeeded"],
    sending: ["sell", "pending"],
    done: ["sell", "succeeded"],
    cancelled: ["deposit", "failed"],
    failed: ["deposit", "failed"],
    refunded: ["sell", "failed"],
  },
};

type Side = { currencyTitle: string; decimals: number };

/** A transaction as Mercuryo's callbacks and lists describe it. */
export function operationOf(transaction: SandboxTransaction, { coin, fiat }: { coin: Side; fiat: Side }) {
  const [type, status] = OPERATIONS[transaction.direction][transaction.state];
  const operation = {
    id: transaction.id,
    status,
    merchant_transaction_id: transaction.merchantId,
    currency: coin.currencyTitle,
    amount: formatAmount(transaction.coinAmount, coin.decimals),
    fiat_currency: fiat.currencyTitle,
    fiat_amount: formatAmount(transaction.fiatAmount, fiat.decimals),
    tx: { id: transaction.txId, address: transaction.address },
    card: { number: "3333" },
  };
  return { type, operation };
}
