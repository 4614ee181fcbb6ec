import { maxOf } from "#contract/money.ts";
import type { Chain } from "./chain-params.ts";
import { MAX_INPUTS, type Coin, type Selection } from "./coin-selection.ts";
import { minChangeOf, sizeOf } from "./fees.ts";
import type { Unspent } from "./watch-wallet.ts";

/** Later payments spend an output each until its change is mined: one coin alone could pay once a block. */
const MAX_OUTPUTS = 10n;
/** No output is smaller than so many times what a node relays, but for a wallet that holds less. */
const DUSTS_OF_AN_OUTPUT = 1_000n;

/** The coins of blocks below a height. */
export const coinsBelow = (coins: readonly Unspent[], tip: number, height: number | null): Unspent[] =>
  coins.filter(({ confirmations }) => height === null || tip - confirmations + 1 < height);

/**
 * Spends all coins, or the most valuable ones where they are too many for one transaction, and pays them to ourselves: `amount` and change. Coins that
 * cost more than they are worth at this fee stay, and old bytes that were signed at a lower one could still spend them. Null where
 * nothing is left to move.
 */
export function selectAll(
  chain: Chain,
  coins: readonly Coin[],
  { feeRate, script }: { feeRate: bigint; script: number },
): (Selection & { amount: bigint }) | null {
  const feeFor = (inputs: number, outputs: bigint): bigint =>
    feeRate *
    sizeOf(
      chain,
      inputs,
      Array.from({ length: Number(outputs) }, () => script),
    );
  const costOfInput = feeFor(2, 0n) - feeFor(1, 0n);
  const inputs = coins
    .filter((coin) => coin.amount > costOfInput)
    .toSorted((one, other) => (one.amount > other.amount ? -1 : one.amount < other.amount ? 1 : 0))
    .slice(0, MAX_INPUTS);
  const total = inputs.reduce((sum, coin) => sum + coin.amount, 0n);
  const minOutput = minChangeOf(chain, feeRate);
  // With change a stuck one can be replaced.
  const wanted = maxOf(2n, total / (DUSTS_OF_AN_OUTPUT * maxOf(chain.dust, minOutput)));
  for (let outputs = wanted < MAX_OUTPUTS ? wanted : MAX_OUTPUTS; outputs > 0n; outputs -= 1n) {
    const fee = feeFor(inputs.length, outputs);
    const each = (total - fee) / outputs;
    if (each < minOutput) continue;
    const change = Array.from({ length: Number(outputs) - 1 }, () => each);
    return { inputs, change, fee, amount: total - fee - each * (outputs - 1n) };
  }
  return null;
}
