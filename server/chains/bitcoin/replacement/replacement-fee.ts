import { maxOf } from "#contract/money.ts";
import type { Chain } from "../chain-params.ts";
import type { Selection } from "../coin-selection.ts";
import { minChangeOf, sizeOf } from "../fees.ts";

/** A fee, and the virtual bytes that it pays for. */
export type Paid = { fee: bigint; size: bigint };

/** What replaces a stuck payment has to outbid; rates in minor units for a virtual byte. */
export type Auction = {
  /** Every attempt so far: another node may hold any of them. */
  stuck: readonly Paid[];
  /** The one in our node's mempool, with all that it spends there and all that spends it; null while none is there. */
  waiting: { own: Paid; parents: Paid; children: Paid } | null;
  marketRate: bigint;
  incrementalRate: bigint;
};

/** The spent coins and what they pay, all of which stays as it is; `changes` is how many outputs were change. */
export type Fixed = Pick<Selection, "inputs"> & {
  amount: bigint;
  changes: number;
  toScript: number;
  changeScript: number;
};

/** A smaller gain isn't worth what each replacement adds to the fee. */
const GAIN = { of: 11n, in: 10n };

/** Whether today's rate is enough above what was paid. */
export const isOutbid = ({ fee, size }: Paid, marketRate: bigint): boolean =>
  marketRate * size * GAIN.in >= fee * GAIN.of;

/** Whether miners would take a replacement at today's rate sooner than what they have. */
export function isWorthReplacing({ stuck, waiting, marketRate }: Auction): boolean {
  const isBelow = (paid: Paid): boolean => isOutbid(paid, marketRate);
  if (waiting === null) return stuck.every(isBelow);
  const { own, parents, children } = waiting;
  // Miners take it with what it spends, and with what others have made of it.
  const together = sumOf(own, sumOf(parents, children));
  return isBelow(together) && (parents.size > 0n || stuck.every(isBelow));
}

/**
 * The same inputs and payment with less change and a fee that nodes and miners take (BIP-125, rules 3 and 4); null where the change is
 * too little, or where evicting what others have spent of it would cost more than today's rate.
 */
export function outbid(chain: Chain, fixed: Fixed, auction: Auction): Selection | null {
  const { inputs, amount, changes, toScript, changeScript } = fixed;
  const total = inputs.reduce((sum, coin) => sum + coin.amount, 0n);
  const minChange = minChangeOf(chain, auction.marketRate);
  for (let parts = changes; parts >= 0; parts -= 1) {
    const scripts = [toScript, ...Array.from({ length: parts }, () => changeScript)];
    const fee = feeOf(auction, sizeOf(chain, inputs.length, scripts));
    if (fee === null) return null;
    const whole = total - amount - fee;
    if (parts === 0) return whole < 0n ? null : { inputs, change: [], fee: total - amount };
    const each = whole / BigInt(parts);
    if (each < minChange) continue;
    const change = Array.from({ length: parts }, (_, at) => (at === 0 ? whole - each * BigInt(parts - 1) : each));
    return { inputs, change, fee };
  }
  return null;
}

/** The same of a payment to ourselves: all that is left of the inputs is paid in as many outputs as it had, or in fewer. */
export function outbidToOurselves(
  chain: Chain,
  { inputs, outputs, script }: Pick<Selection, "inputs"> & { outputs: number; script: number },
  auction: Auction,
): (Selection & { amount: bigint }) | null {
  const total = inputs.reduce((sum, coin) => sum + coin.amount, 0n);
  const minOutput = minChangeOf(chain, auction.marketRate);
  for (let parts = outputs; parts > 0; parts -= 1) {
    const scripts = Array.from({ length: parts }, () => script);
    const fee = feeOf(auction, sizeOf(chain, inputs.length, scripts));
    if (fee === null) return null;
    const each = (total - fee) / BigInt(parts);
    if (each < (parts === 1 ? chain.dust : minOutput)) continue;
    const change = Array.from({ length: parts - 1 }, () => each);
    return { inputs, change, fee, amount: total - fee - each * BigInt(parts - 1) };
  }
  return null;
}

function feeOf({ stuck, waiting, marketRate, incrementalRate }: Auction, size: bigint): bigint | null {
  const { parents, own, children } = waiting ?? { parents: NOTHING, own: NOTHING, children: NOTHING };
  const relay = incrementalRate * size;
  const fee = maxOf(
    marketRate * size,
    marketRate * (size + parents.size) - parents.fee,
    maxOf(0n, ...stuck.map((one) => one.fee)) + relay,
  );
  // Whoever was paid may have spent it with as much as they like: that never raises what we pay.
  return own.fee + children.fee + relay > fee ? null : fee;
}

const NOTHING: Paid = { fee: 0n, size: 0n };
export const sumOf = (one: Paid, other: Paid): Paid => ({ fee: one.fee + other.fee, size: one.size + other.size });
