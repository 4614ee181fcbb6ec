import type { BroadcastResult, PreparedPayment } from "../port.ts";
import { lookUp } from "./lookup.ts";
import { reasonOf, type EvmRpc } from "./rpc.ts";
import { hashSchema } from "./schemas.ts";

/** How nodes say that they hold exactly these bytes already. */
const ALREADY_KNOWN = /already known|already imported|known transaction|already in mempool/i;
/** The nonce is used up: by these bytes, or by others. */
const NONCE_USED = /nonce too low|nonce is too low/i;
/** No block can take these bytes as things are, whoever has them. */
const INVALID =
  /exceeds block gas limit|gas limit (is )?too (high|low)|exceeds.*(gas limit|cap)|exceeds the configured cap|intrinsic gas too|insufficient funds|transaction type not supported/i;

/** Sends signed bytes to the node. Never throws for its errors: whatever is not a clear acceptance is unknown (engine law 6). */
export async function broadcastRaw(
  rpc: EvmRpc,
  { raw, txId }: PreparedPayment,
  checkChain: () => Promise<void>,
): Promise<BroadcastResult> {
  try {
    await checkChain();
    const answered = await rpc.call("eth_sendRawTransaction", [raw], hashSchema, { retryCount: 0 });
    return answered === txId ? { kind: "accepted" } : unknown(`the node calls it ${answered}, not ${txId}`);
  } catch (error) {
    const reason = reasonOf(error);
    if (ALREADY_KNOWN.test(reason)) return { kind: "accepted" };
    if (NONCE_USED.test(reason)) return checkOwnNonce(rpc, txId, reason);
    return INVALID.test(reason) ? { kind: "refused", reason } : unknown(reason);
  }
}

async function checkOwnNonce(rpc: EvmRpc, txId: string, reason: string): Promise<BroadcastResult> {
  try {
    const { kind } = await lookUp(rpc, txId);
    return kind === "absent" ? unknown(reason) : { kind: "accepted" };
  } catch (error) {
    return unknown(`${reason}; looking it up failed: ${reasonOf(error)}`);
  }
}

const unknown = (reason: string): BroadcastResult => ({ kind: "unknown", reason });
