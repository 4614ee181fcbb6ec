import type { BroadcastResult, Lookup, PreparedPayment } from "../port.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import { hashSchema } from "./schemas.ts";

const ALREADY_IN_CHAIN = -27;
/** How nodes of this family say that they hold exactly these bytes already. */
const ALREADY_KNOWN = /txn-already-in-mempool|txn-already-known|already in (the )?(block ?chain|mempool|utxo set)/i;
/** No node takes these bytes as they are; a fee that is too low now, or a conflict, may pass. */
const INVALID =
  /\bdust\b|scriptpubkey|bad-txns-(?!inputs)|mandatory-script|tx-size|absurdly-high-fee|max-fee-exceeded/i;

/** Sends signed bytes to the node. Never throws for its errors: whatever is not a clear acceptance is unknown (engine law 6). */
export async function broadcastRaw(
  rpc: BitcoinRpc,
  { raw, txId }: PreparedPayment,
  lookup: () => Promise<Lookup>,
): Promise<BroadcastResult> {
  try {
    const answered = await rpc.call("sendrawtransaction", [raw], hashSchema);
    return answered === txId ? { kind: "accepted" } : unknown(`the node calls it ${answered}, not ${txId}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof BitcoinRpcError)) return unknown(reason);
    if (error.code === ALREADY_IN_CHAIN || ALREADY_KNOWN.test(reason)) return { kind: "accepted" };
    return refused(reason, lookup);
  }
}

/** A node also rejects a payment as a double spend when that payment is mined and its outputs are spent. */
async function refused(reason: string, lookup: () => Promise<Lookup>): Promise<BroadcastResult> {
  try {
    const { kind } = await lookup();
    if (kind === "mined" || kind === "pending") return { kind: "accepted" };
    return INVALID.test(reason) ? { kind: "refused", reason } : unknown(reason);
  } catch (error) {
    return unknown(`${reason}; looking it up failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const unknown = (reason: string): BroadcastResult => ({ kind: "unknown", reason });
