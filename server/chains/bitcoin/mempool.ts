import * as z from "zod";
import type { Paid } from "./replacement/replacement-fee.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import { amountSchema, signedAmountSchema } from "./schemas.ts";

const NOT_FOUND = -5;
const NO_SUCH_METHOD = -32_601;

/** Sizes in virtual bytes; a package includes the transaction itself, and its fees what an operator's priorities add to them. */
const sizes = { ancestorsize: z.int(), descendantsize: z.int() };
const newSchema = z.object({
  ...sizes,
  vsize: z.int(),
  fees: z.object({ base: amountSchema, ancestor: signedAmountSchema, descendant: signedAmountSchema }),
});
/** Dogecoin Core's. */
const oldSchema = z.object({
  ...sizes,
  size: z.int(),
  fee: amountSchema,
  ancestorfees: z.int(),
  descendantfees: z.int(),
});
const entrySchema = z.union([
  newSchema.transform(({ vsize, fees, ...rest }) => ({ ...rest, ...fees, size: vsize })),
  oldSchema.transform(({ size, fee, ancestorfees, descendantfees, ancestorsize, descendantsize }) => ({
    size,
    ancestorsize,
    descendantsize,
    base: fee,
    ancestor: BigInt(ancestorfees),
    descendant: BigInt(descendantfees),
  })),
]);

/** A transaction in the node's mempool, what it spends there, and what spends it there. */
export type Waiting = { own: Paid; parents: Paid; children: Paid };

/** Null where the mempool doesn't hold it. */
export async function readWaiting(rpc: BitcoinRpc, txId: string): Promise<Waiting | null> {
  try {
    const { size, base, ...rest } = await rpc.call("getmempoolentry", [txId], entrySchema);
    const beyond = (fee: bigint, bytes: number): Paid => ({ fee: fee - base, size: BigInt(bytes - size) });
    return {
      own: { fee: base, size: BigInt(size) },
      parents: beyond(rest.ancestor, rest.ancestorsize),
      children: beyond(rest.descendant, rest.descendantsize),
    };
  } catch (error) {
    if (error instanceof BitcoinRpcError && error.code === NOT_FOUND) return null;
    throw error;
  }
}

/** Whether nothing in the node's mempool spends an output of a transaction that waits there. */
export async function isFree(rpc: BitcoinRpc, txId: string, vout: number): Promise<boolean> {
  const withMempool = true;
  return (await rpc.call("gettxout", [txId, vout, withMempool], z.unknown())) !== null;
}

/** Whether the node would take these bytes now; it keeps and relays nothing. One that can't tell is not asked again. */
export async function wouldAccept(rpc: BitcoinRpc, raw: string): Promise<boolean> {
  try {
    const [verdict] = await rpc.call("testmempoolaccept", [[raw]], z.array(z.object({ allowed: z.boolean() })));
    return verdict?.allowed === true;
  } catch (error) {
    if (error instanceof BitcoinRpcError && error.code === NO_SUCH_METHOD) return true;
    throw error;
  }
}
