import { isAddressEqual, parseTransaction, recoverTransactionAddress, type Hex } from "viem";
import { maxOf, minOf } from "#contract/money.ts";
import { NotEnoughFundsError, PaymentRefusedError, type PreparedPayment } from "../port.ts";
import { boundedFees, type EvmCaps } from "./caps.ts";
import type { GasPrice } from "./fees.ts";

export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Nodes take another transaction on a nonce from a tenth more on, of both fees; some ask for an eighth. */
export const bumped = (fee: bigint): bigint => fee + fee / 8n + 1n;

/** What each of these transactions pays for a unit of gas. Throws unless they are all of this account and on this nonce. */
export async function feesOf(
  stuck: readonly PreparedPayment[],
  { from, nonce }: { from: Hex; nonce: number },
): Promise<Fees[]> {
  return Promise.all(
    stuck.map(async ({ raw, txId }) => {
      const serializedTransaction = raw as `0x02${string}`;
      const { nonce: own, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(serializedTransaction);
      const signer = await recoverTransactionAddress({ serializedTransaction });
      if ((own ?? 0) !== nonce || !isAddressEqual(signer, from) || maxFeePerGas === undefined)
        throw new Error(`the transaction ${txId} is not on the nonce ${nonce} of ${from}`);
      return { maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n };
    }),
  );
}

type Bounds = {
  caps: EvmCaps;
  affordable?: bigint | null;
  limit?: bigint | null;
  /** Whether no block can take what is stuck, whatever it pays, because its account holds less than it moves. */
  isUnpayable?: boolean;
};

/**
 * The fees with which nodes take one more transaction in the place of others, today's at least. Null while blocks should take one of them
 * at today's price, which more would not change. `limit` is what the payment should pay for a unit of gas at most: where that is too little,
 * the fees are returned as they would be without it. Throws `PaymentRefusedError` where the caps leave no room, and `NotEnoughFundsError`
 * where the account affords no more than `affordable` for a unit of gas, which is too little.
 */
export function replacementFees(
  stuck: readonly Fees[],
  price: GasPrice,
  { caps, affordable = null, limit = null, isUnpayable = false }: Bounds,
): Fees | null {
  const wantedTip = minOf(price.priorityFee, caps.maxPriorityFeePerGas);
  if (!isUnpayable && stuck.some((fees) => tipAt(price.baseFee, fees) >= wantedTip)) return null;
  const least = highest(stuck.map((fees) => eachOf(fees, bumped)));
  if (price.baseFee + wantedTip > caps.maxFeePerGas) throw overCap(price.baseFee + wantedTip, caps);
  if (least.maxFeePerGas > caps.maxFeePerGas) throw overCap(least.maxFeePerGas, caps);
  if (least.maxPriorityFeePerGas > caps.maxPriorityFeePerGas) throw overCap(least.maxPriorityFeePerGas, caps);
  const wanted = highest([least, boundedFees(price, caps)]);
  const needed = maxOf(least.maxFeePerGas, price.baseFee + wantedTip);
  const fees = limit === null || limit < needed ? wanted : lowered(wanted, limit);
  if (affordable === null || affordable >= fees.maxFeePerGas) return fees;
  if (affordable < needed)
    throw new NotEnoughFundsError(`the address can pay ${affordable} wei for a unit of gas, and it takes ${needed}`);
  return lowered(fees, affordable);
}

const lowered = (fees: Fees, maxFeePerGas: bigint): Fees => ({
  ...fees,
  maxFeePerGas: minOf(fees.maxFeePerGas, maxFeePerGas),
});

/** What a block's producer gets of it; below zero where no block may take it. */
const tipAt = (baseFee: bigint, { maxFeePerGas, maxPriorityFeePerGas }: Fees): bigint =>
  minOf(maxPriorityFeePerGas, maxFeePerGas - baseFee);

/** The highest of each. */
export const highest = (all: readonly Fees[]): Fees =>
  all.reduce(
    (sum, one) => ({
      maxFeePerGas: maxOf(sum.maxFeePerGas, one.maxFeePerGas),
      maxPriorityFeePerGas: maxOf(sum.maxPriorityFeePerGas, one.maxPriorityFeePerGas),
    }),
    { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
  );

const eachOf = (fees: Fees, change: (fee: bigint) => bigint): Fees => ({
  maxFeePerGas: change(fees.maxFeePerGas),
  maxPriorityFeePerGas: change(fees.maxPriorityFeePerGas),
});

const overCap = (fee: bigint, caps: EvmCaps): PaymentRefusedError =>
  new PaymentRefusedError(
    "fee_over_cap",
    `to replace it takes ${fee} wei for a unit of gas, over ${caps.maxFeePerGas}`,
  );
