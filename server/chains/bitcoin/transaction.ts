import { hex } from "@scure/base";
import { Transaction, Address, OutScript } from "@scure/btc-signer";
import type { PreparedPayment } from "../port.ts";
import type { Chain } from "./chain-params.ts";
import { keyOf, type Selection } from "./coin-selection.ts";
import type { HotKey } from "./keys.ts";

/** Lets its owner replace a payment that is stuck, by one that spends the same coins (BIP-125). */
const REPLACEABLE = 0xfffffffd;

/**
 * Writes and signs the transaction; the same arguments give the same bytes. `previous` holds, by id, the transactions
 * that legacy inputs spend.
 */
export function signTransaction(
  chain: Chain,
  key: HotKey,
  payment: { toAddress: string; amount: bigint },
  { inputs, change, fee }: Selection,
  previous: ReadonlyMap<string, string>,
): PreparedPayment {
  const transaction = new Transaction();
  for (const { txId, vout, amount } of inputs) {
    const spent = chain.hasSegwit
      ? { witnessUtxo: { script: key.script, amount } }
      : // A legacy signature doesn't cover what it spends: only the transaction before tells how much that is.
        { nonWitnessUtxo: hex.decode(previous.get(txId) ?? missing(txId)) };
    transaction.addInput({ txid: txId, index: vout, sequence: REPLACEABLE, ...spent });
  }
  transaction.addOutput({ script: scriptOfAddress(chain, payment.toAddress), amount: payment.amount });
  for (const amount of change) transaction.addOutput({ script: key.script, amount });
  if (transaction.fee !== fee) throw new Error(`the fee would be ${transaction.fee}, not ${fee}`);
  transaction.sign(key.privateKey);
  transaction.finalize();
  return { raw: transaction.hex, txId: transaction.id };
}

/** A signed transaction, whoever made it. */
export const parseTransaction = (raw: string): Transaction =>
  Transaction.fromRaw(hex.decode(raw), { allowUnknownOutputs: true, disableScriptCheck: true });

/** The coins that it spends, by their keys. */
export const inputKeys = (transaction: Transaction): string[] =>
  Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { txid, index } = transaction.getInput(at);
    return keyOf({ txId: txid === undefined ? "" : hex.encode(txid), vout: index ?? -1 });
  });

const missing = (txId: string): never => {
  throw new Error(`the transaction ${txId} is not there`);
};

const SEGWIT = new Set(["wpkh", "wsh", "tr"]);
const LEGACY = new Set(["pkh", "sh"]);

/**
 * The address that a script pays, in its canonical form; null for one that no address stands for, such as data or the
 * extension block's own.
 */
export function addressOfScript({ prefixes, hasSegwit }: Chain, script: Uint8Array): string | null {
  try {
    const decoded = OutScript.decode(script);
    if (!LEGACY.has(decoded.type) && !(hasSegwit && SEGWIT.has(decoded.type))) return null;
    return Address(prefixes).encode(decoded);
  } catch {
    // The codec says by throwing that a script is of no known form.
    return null;
  }
}

/** The script that an address stands for; throws for one that was not parsed before. */
export const scriptOfAddress = ({ prefixes }: Chain, address: string): Uint8Array =>
  OutScript.encode(Address(prefixes).decode(address));
