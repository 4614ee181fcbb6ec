import type { BroadcastResult, PreparedPayment } from "../port.ts";
import { textOf } from "./contract-calls.ts";
import type { TronRpc } from "./rpc.ts";
import { broadcastSchema } from "./schemas.ts";
import { readSigned } from "./transaction.ts";

/** The node holds exactly these bytes already. */
const ALREADY_KNOWN = "DUP_TRANSACTION_ERROR";

/** No node takes these bytes as things are. */
const INVALID = new Set(["CONTRACT_VALIDATE_ERROR", "CONTRACT_EXE_ERROR", "BANDWITH_ERROR", "SIGERROR"]);

/** Sends signed bytes to the node. Never throws for its errors: whatever is not a clear acceptance is unknown (engine law 6). */
export async function broadcastSigned(
  http: TronRpc,
  prepared: PreparedPayment,
  checkChain: () => Promise<void>,
): Promise<BroadcastResult> {
  try {
    await checkChain();
    const body = readSigned(prepared);
    const { result, code, txid, message } = await http.call("wallet/broadcasttransaction", body, broadcastSchema);
    if (txid !== undefined && txid !== prepared.txId) return unknown(`the node calls it ${txid}, not ${prepared.txId}`);
    if (result === true || code === ALREADY_KNOWN) return { kind: "accepted" };
    const reason = `${code ?? "no code"} ${textOf(message)}`;
    return INVALID.has(code ?? "") ? { kind: "refused", reason } : unknown(reason);
  } catch (error) {
    return unknown(error instanceof Error ? error.message : String(error));
  }
}

const unknown = (reason: string): BroadcastResult => ({ kind: "unknown", reason });
