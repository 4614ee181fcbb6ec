import { hex } from "@scure/base";
import { Transaction, Address, OutScript } from "@scure/btc-signer";
import type { PreparedPayment } from "../port.ts";
import type { Chain } from "./chain-params.ts";
import { keyOf, type Selection } from "./coin-selection.ts";
import { addressOfKey, type HotKey } from "./keys.ts";

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

const KEY = "0[23][0-9a-f]{64}";
const SIGNATURE = "30[0-9a-f]{16,144}";
const WITNESS = new RegExp(`^${SIGNATURE} (${KEY})$`);
/** Each push is a length and so many bytes. */
const SCRIPT = new RegExp(`^(?<length>[0-9a-f]{2})(?<signature>${SIGNATURE})21(?<key>${KEY})$`);

type Input = { txinwitness?: string[] | undefined; scriptSig?: { hex: string } | undefined };

/**
 * The address of the one key that an input shows to have signed it; null for every other input. Nothing but a signature and the key may
 * stand there: every payment shows our key, so that anybody can write it into a script of their own. It is no proof (`own-spends.ts`).
 */
export function signerOf(chain: Chain, input: Input): string | null {
  const key = chain.hasSegwit ? keyOfWitness(input) : keyOfScript(input);
  return key === null ? null : addressOfKey(chain, hex.decode(key));
}

function keyOfWitness({ txinwitness = [], scriptSig }: Input): string | null {
  if (scriptSig !== undefined && scriptSig.hex !== "") return null;
  return WITNESS.exec(txinwitness.join(" "))?.[1] ?? null;
}

const keyOfScript = ({ txinwitness = [], scriptSig }: Input): string | null =>
  txinwitness.length === 0 ? (readScriptSig(scriptSig?.hex ?? "")?.key ?? null) : null;

/** A signature with its last byte, which says what it covers, and a key; null for a script that is anything else. */
function readScriptSig(script: string): { signature: string; key: string } | null {
  const { length = "", signature = "", key = "" } = SCRIPT.exec(script)?.groups ?? {};
  return key !== "" && Number.parseInt(length, 16) * 2 === signature.length ? { signature, key } : null;
}

/** The same in bytes. */
export function signatureOf(script: string): { signature: Uint8Array; hashType: number; key: Uint8Array } | null {
  const parsed = readScriptSig(script);
  if (parsed === null) return null;
  const bytes = hex.decode(parsed.signature);
  return { signature: bytes.slice(0, -1), hashType: bytes.at(-1) ?? 0, key: hex.decode(parsed.key) };
}

/** What each output pays, by its address; null for what no address stands for, as data or the extension block. */
type Moves = { signers: readonly (string | null)[]; recipients: readonly (string | null)[] };

/** Whether every coin that is spent was at this address, and every output is there again: it pays nobody. */
export const movesOnly = ({ signers, recipients }: Moves, address: string): boolean =>
  signers.length > 0 && [...signers, ...recipients].every((one) => one === address);

/** The same of a transaction as its bytes have it. */
export function isToOurselves(chain: Chain, raw: string, address: string): boolean {
  const transaction = parseTransaction(raw);
  const signers = Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { finalScriptWitness, finalScriptSig } = transaction.getInput(at);
    const witness = (finalScriptWitness ?? []).map((item) => hex.encode(item));
    return signerOf(chain, {
      ...(witness.length > 0 && { txinwitness: witness }),
      ...(finalScriptSig && { scriptSig: { hex: hex.encode(finalScriptSig) } }),
    });
  });
  const recipients = Array.from({ length: transaction.outputsLength }, (_, at) => {
    const { script } = transaction.getOutput(at);
    return script === undefined ? null : addressOfScript(chain, script);
  });
  return movesOnly({ signers, recipients }, address);
}
