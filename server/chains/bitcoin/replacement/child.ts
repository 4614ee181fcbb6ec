import { hex } from "@scure/base";
import {
  PaymentRefusedError,
  type Handle,
  type Payment,
  type PreparedChild,
  type PreparedPayment,
} from "../../port.ts";
import type { Chain } from "../chain-params.ts";
import { keyOf, type Coin, type Selection } from "../coin-selection.ts";
import { minChangeOf, readMarketRate, sizeOf } from "../fees.ts";
import { isFree, readWaiting, wouldAccept } from "../mempool.ts";
import { isOutbid, sumOf, type Paid } from "./replacement-fee.ts";
import type { BitcoinRpc } from "../rpc.ts";
import { parseTransaction } from "../transaction.ts";

export type ChildParts = {
  rpc: BitcoinRpc;
  chain: Chain;
  hot: { address: string; script: Uint8Array };
  sign(payment: Pick<Payment, "toAddress" | "amount">, selection: Selection): Promise<PreparedPayment>;
};

/**
 * A payment to ourselves that spends the change of a stuck one and pays so much that miners take both at today's rate (CPFP). The newest
 * of `children` is spent before the payment itself. Null where nothing of them waits in the mempool with change that is free.
 */
export async function payByChild(
  { rpc, chain, hot, sign }: ChildParts,
  stuck: readonly PreparedPayment[],
  children: readonly PreparedPayment[],
  reserved: readonly Handle[],
): Promise<PreparedChild | null> {
  const marketRate = await readMarketRate(rpc, chain);
  const taken = new Set(reserved.flatMap(({ keys }) => keys));
  const family = [
    // The first output is the customer's.
    ...stuck.map((one) => ({ ...one, own: ownOutputs(one, hot.script).filter(({ vout }) => vout > 0) })),
    ...children.map((one) => ({ ...one, own: ownOutputs(one, hot.script) })),
  ];
  const paysFor = await firstWaiting(rpc, stuck);
  const newest = stuck.at(-1);
  if (paysFor === null || newest === undefined) return null;
  // It pays enough by itself once it is sent, as after a crash.
  if (newest.txId !== paysFor && (await wouldAccept(rpc, newest.raw))) return null;
  for (const { txId, own } of family.toReversed()) {
    const entry = await readWaiting(rpc, txId);
    if (entry === null) continue;
    const parents = sumOf(entry.own, entry.parents);
    if (!isOutbid(parents, marketRate)) return null;
    const fee = feeOf(chain, parents, marketRate, hot.script);
    for (const coin of own) {
      if (taken.has(keyOf(coin)) || coin.amount - fee < minChangeOf(chain, marketRate)) continue;
      if (!(await isFree(rpc, txId, coin.vout))) continue;
      requireWithinCap(chain, { marketRate, fee, raws: family.map(({ raw }) => raw), script: hot.script });
      const payment = { toAddress: hot.address, amount: coin.amount - fee };
      const signed = await sign(payment, { inputs: [coin], change: [], fee });
      if (await wouldAccept(rpc, signed.raw)) return { ...signed, maxCost: fee, keys: [keyOf(coin)], paysFor };
    }
  }
  return null;
}

function ownOutputs({ raw, txId }: PreparedPayment, script: Uint8Array): Coin[] {
  const transaction = parseTransaction(raw);
  return Array.from({ length: transaction.outputsLength }, (_, vout) => ({ vout, ...transaction.getOutput(vout) }))
    .filter((output) => output.script !== undefined && hex.encode(output.script) === hex.encode(script))
    .map(({ vout, amount = 0n }) => ({ txId, vout, amount }));
}

/** The attempt that the mempool holds: each excludes the others. */
async function firstWaiting(rpc: BitcoinRpc, stuck: readonly PreparedPayment[]): Promise<string | null> {
  for (const { txId } of stuck) if ((await readWaiting(rpc, txId)) !== null) return txId;
  return null;
}

const sizeOfChild = (chain: Chain, script: Uint8Array): bigint => sizeOf(chain, 1, [script.length]);

function feeOf(chain: Chain, parents: Paid, marketRate: bigint, script: Uint8Array): bigint {
  const size = sizeOfChild(chain, script);
  const together = marketRate * (parents.size + size) - parents.fee;
  return together > marketRate * size ? together : marketRate * size;
}

type Bounded = { marketRate: bigint; fee: bigint; raws: readonly string[]; script: Uint8Array };

/** Only what we have signed ourselves counts: whoever paid us what a payment spends doesn't choose what we pay. */
function requireWithinCap(chain: Chain, { marketRate, fee, raws, script }: Bounded): void {
  const { cap } = chain.fees;
  if (marketRate > cap) throw new PaymentRefusedError("fee_over_cap", `a byte costs ${marketRate}, more than ${cap}`);
  const size = raws.reduce((sum, raw) => sum + BigInt(parseTransaction(raw).vsize), sizeOfChild(chain, script));
  if (fee > cap * size)
    throw new PaymentRefusedError("fee_over_cap", `the fee would be ${fee}, more than ${cap * size}`);
}
