import { maxOf } from "#contract/money.ts";
import { FeesOverCapError, NotEnoughFundsError } from "../port.ts";
import type { Chain } from "./chain-params.ts";
import { MAX_INPUTS, type Coin, type Selection } from "./coin-selection.ts";
import { minChangeOf, sizeOf } from "./fees.ts";

/** Later payments spend an output each until its change is mined: one coin alone could pay once a block. */
const MAX_OUTPUTS = 10n;
/** No output is smaller than so many times what a node relays, but for a wallet that holds less. */
const DUSTS_OF_AN_OUTPUT = 1_000n;
/** Of the addresses that we pay: of a key's hash, by a witness. */
const SHORTEST_SCRIPT = 22;
/** Anybody may send small coins here: moving them costs this part of what the wallet holds at most (engine law 15). */
const LOSS_BOUND = 100n;

/** The free coins of the hot wallet: those that were there at the restore, and those that came later. */
export type CoinsByAge = { old: readonly Coin[]; newer: readonly Coin[] };

/** What is spent, and what is paid to ourselves beside its change. */
type Consolidation = Selection & { amount: bigint };

/**
 * Spends the old coins, or the most valuable 200 of them, and pays them to ourselves. What was signed before a restore may have been signed for a
 * lower fee: coins that cost more than they are worth now are moved as well, paid for by the others or by a newer one. Null once nobody can be paid
 * with what is left. Throws `FeesOverCapError` while moving those coins would lose too much, and `NotEnoughFundsError` where nothing can pay for it.
 */
export function selectAll(
  chain: Chain,
  { old, newer }: CoinsByAge,
  { feeRate, script }: { feeRate: bigint; script: number },
): Consolidation | null {
  const costOfInput = feeRate * sizeOfInput(chain);
  const spendable = old.filter((coin) => isSpendable(chain, coin)).toSorted(byValue);
  if (couldPay(chain, spendable) < chain.dust) return null;
  const worth = spendable.filter(({ amount }) => amount > costOfInput);
  let end = spendable.length;
  while (end > worth.length && couldPay(chain, spendable.slice(end - 1)) < chain.dust) end -= 1;
  const small = spendable.slice(worth.length, end);

  const loss = costOfInput * BigInt(small.length) - sumOf(small);
  const isWithinBound = loss * LOSS_BOUND <= sumOf([...old, ...newer]);
  const chosen = (isWithinBound ? [...worth, ...small] : worth).slice(0, MAX_INPUTS);
  if (chosen.length === 0)
    throw new FeesOverCapError(
      `moving ${small.length} small coins of ${sumOf(small)} in all, which payments that were signed for a lower fee may spend, costs ${loss} more than that now, over 1 % of what the hot wallet of ${chain.networkTitle} holds`,
    );
  for (const coin of [null, ...newer.toSorted(byValue).toReversed()]) {
    const inputs = coin === null ? chosen : [coin, ...chosen.slice(0, MAX_INPUTS - 1)];
    const consolidation = payOurselves(chain, inputs, { feeRate, script });
    if (consolidation !== null) return consolidation;
  }
  throw new NotEnoughFundsError(
    `${chosen.length} coins of ${sumOf(chosen)} in all, which payments that were signed for a lower fee may spend, don't pay for their move now, nor does another one of the hot wallet of ${chain.networkTitle}`,
  );
}

const sizeOfInput = (chain: Chain): bigint => sizeOf(chain, 2, []) - sizeOf(chain, 1, []);

/** Whether a payment of ours could ever have spent it: none pays less than the floor, or spends what costs more than it is worth. */
const isSpendable = (chain: Chain, { amount }: Coin): boolean => amount > chain.fees.floor * sizeOfInput(chain);

/** What a payment that was signed for the lowest fee could pay with these coins alone, the most valuable first. */
function couldPay(chain: Chain, coins: readonly Coin[]): bigint {
  const inputs = coins.slice(0, MAX_INPUTS);
  return sumOf(inputs) - chain.fees.floor * sizeOf(chain, inputs.length, [SHORTEST_SCRIPT]);
}

/** Null where they don't pay for it. */
function payOurselves(
  chain: Chain,
  inputs: readonly Coin[],
  { feeRate, script }: { feeRate: bigint; script: number },
): Consolidation | null {
  const total = sumOf(inputs);
  const minOutput = minChangeOf(chain, feeRate);
  // With change a stuck one can be replaced.
  const wanted = maxOf(2n, total / (DUSTS_OF_AN_OUTPUT * minOutput));
  for (let outputs = wanted < MAX_OUTPUTS ? wanted : MAX_OUTPUTS; outputs > 0n; outputs -= 1n) {
    const scripts = Array.from({ length: Number(outputs) }, () => script);
    const fee = feeRate * sizeOf(chain, inputs.length, scripts);
    const each = (total - fee) / outputs;
    if (each < (outputs === 1n ? chain.dust : minOutput)) continue;
    const change = Array.from({ length: Number(outputs) - 1 }, () => each);
    return { inputs: [...inputs], change, fee, amount: total - fee - each * (outputs - 1n) };
  }
  return null;
}

const sumOf = (coins: readonly Coin[]): bigint => coins.reduce((sum, { amount }) => sum + amount, 0n);
const byValue = (one: Coin, other: Coin): number =>
  one.amount > other.amount ? -1 : one.amount < other.amount ? 1 : 0;
