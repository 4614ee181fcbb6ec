import { maxOf } from "#contract/money.ts";
import type { Chain } from "./chain-params.ts";
import { sizeOf } from "./fees.ts";

/** An output of ours that can be spent. */
export type Coin = { txId: string; vout: number; amount: bigint };

/** The spent coins, our change, and the fee. */
export type Selection = { inputs: Coin[]; change: bigint[]; fee: bigint };

export type SelectionTarget = {
  amount: bigint;
  /** Minor units for a virtual byte. */
  feeRate: bigint;
  /** Lengths of the scripts that are paid: the customer's and ours. */
  toScript: number;
  changeScript: number;
};

/** While fewer coins are free than this that could pay as much, change is split in two: a wallet with one coin could pay only once a block. */
const SPLIT_BELOW_COINS = 20;
/** What a transaction of a size that every node relays can spend. */
export const MAX_INPUTS = 200;

/**
 * Chooses the smallest coin that is enough by itself, else the largest ones together; null when all of them are not enough. Coins that
 * cost more than they are worth are skipped. Inputs = amount + change + fee, always.
 */
export function selectCoins(chain: Chain, free: readonly Coin[], target: SelectionTarget): Selection | null {
  const { amount, feeRate, toScript, changeScript } = target;
  const feeFor = (inputs: number, changes: number): bigint =>
    feeRate * sizeOf(chain, inputs, [toScript, ...Array.from({ length: changes }, () => changeScript)]);
  const costOfInput = feeFor(2, 0) - feeFor(1, 0);
  const useful = free.filter((coin) => coin.amount > costOfInput).toSorted(byAmount);
  const inputs = smallestSufficient(useful, (count) => amount + feeFor(count, 0));
  if (inputs === null) return null;

  const total = sumOf(inputs);
  // Change that costs as much to spend as it is worth goes to the fee.
  const minChange = maxOf(chain.dust, costOfInput);
  const changeOf = (parts: number): bigint => total - amount - feeFor(inputs.length, parts);
  if (changeOf(1) < minChange) return { inputs, change: [], fee: total - amount };
  // Only those that could pay as much: anybody may send small ones here.
  const sufficient = useful.filter((coin) => coin.amount >= amount);
  const isSplit = sufficient.length < SPLIT_BELOW_COINS && changeOf(2) / 2n > amount + minChange;
  const whole = changeOf(isSplit ? 2 : 1);
  const change = isSplit ? [whole - whole / 2n, whole / 2n] : [whole];
  return { inputs, change, fee: total - amount - whole };
}

function smallestSufficient(useful: readonly Coin[], priceWith: (count: number) => bigint): Coin[] | null {
  const single = useful.find((coin) => coin.amount >= priceWith(1));
  if (single !== undefined) return [single];
  const largest = useful.slice(-MAX_INPUTS).toReversed();
  for (let count = 2; count <= largest.length; count += 1) {
    const some = largest.slice(0, count);
    if (sumOf(some) >= priceWith(count)) return some;
  }
  return null;
}

const sumOf = (coins: readonly Coin[]): bigint => coins.reduce((sum, coin) => sum + coin.amount, 0n);

/** By id where amounts are equal, so that the same coins are chosen in the same way. */
const byAmount = (one: Coin, other: Coin): number =>
  one.amount === other.amount ? (keyOf(one) < keyOf(other) ? -1 : 1) : one.amount < other.amount ? -1 : 1;

export const keyOf = ({ txId, vout }: Pick<Coin, "txId" | "vout">): string => `${txId}:${vout}`;
