import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hex } from "@scure/base";
import { RawTx, SigHash } from "@scure/btc-signer";
import * as z from "zod";
import type { Chain } from "./chain-params.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import { amountSchema, hashSchema, heightSchema, hexSchema } from "./schemas.ts";
import { scriptOfAddress, signatureOf, signerOf } from "./transaction.ts";
import { createWatchWallet } from "./watch-wallet.ts";

/** Where the node of a chain with segwit can, since Bitcoin Core 23, each input comes with the output that it spends. */
const [WITH_INPUTS, WITH_SPENT_OUTPUTS] = [2, 3];
const NOT_FOUND = -5;

const scriptSchema = z.object({ hex: hexSchema });
const spendSchema = z.object({
  txid: hashSchema.optional(),
  vout: heightSchema.optional(),
  txinwitness: z.array(hexSchema).optional(),
  scriptSig: scriptSchema.optional(),
  sequence: z.number().optional(),
  prevout: z.object({ scriptPubKey: scriptSchema }).optional(),
});
type Spend = z.infer<typeof spendSchema>;

/** Of a chain without segwit all that a signature covers. */
const legacySchema = z.object({
  version: z.int(),
  locktime: heightSchema,
  vout: z.array(z.object({ value: amountSchema, scriptPubKey: scriptSchema })),
});
const transactionSchema = z.looseObject({ txid: hashSchema, vin: z.array(spendSchema) });
type BlockTransaction = z.infer<typeof transactionSchema>;
const blockSchema = z.object({ tx: z.array(transactionSchema) });
const previousSchema = z.object({
  vout: z.array(z.object({ n: heightSchema, scriptPubKey: scriptSchema.optional() })),
});

/** Which of a block's transactions have spent coins of the hot address; `txIds` are those whose inputs look like it. */
export type OwnSpends = (
  block: { height: number; hash: string },
  txIds: readonly string[],
) => Promise<ReadonlySet<string>>;

/**
 * What an input shows proves nothing by itself: a miner may spend an output that asks for no signature, and write ours beside our key. The output that is
 * spent proves it, since no block can spend ours without our signature; where its script isn't signed with it (no segwit), the signature itself. What nothing
 * proves or disproves is taken for ours: paid twice would be worse than looked at once.
 */
export function createOwnSpends(rpc: BitcoinRpc, chain: Chain, hotAddress: string): OwnSpends {
  const script = scriptOfAddress(chain, hotAddress);
  const watch = createWatchWallet(rpc, chain, { address: hotAddress, script });
  const ownScript = hex.encode(script);

  const isOwnCoin = async ({ txid, vout, prevout }: Spend, height: number): Promise<boolean> => {
    if (txid === undefined || vout === undefined) return false;
    const spent =
      prevout?.scriptPubKey.hex ?? (await watch.output(txid, vout))?.script ?? (await readScript(rpc, txid, vout));
    return spent === null ? height <= (await watch.completeFrom()) : spent === ownScript;
  };

  const isOwn = async (transaction: BlockTransaction, height: number): Promise<boolean> => {
    for (const [at, input] of transaction.vin.entries()) {
      if (signerOf(chain, input) !== hotAddress) continue;
      // Each of our signatures covers every input: one proves the transaction.
      if (chain.hasSegwit ? await isOwnCoin(input, height) : isSigned(transaction, at, script)) return true;
    }
    return false;
  };

  return async ({ hash, height }, txIds) => {
    if (txIds.length === 0) return new Set();
    const { tx } = await rpc.call("getblock", [hash, chain.hasSegwit ? WITH_SPENT_OUTPUTS : WITH_INPUTS], blockSchema);
    const own = new Set<string>();
    for (const one of tx) if (txIds.includes(one.txid) && (await isOwn(one, height))) own.add(one.txid);
    return own;
  };
}

/** From the index of a node that keeps one; null where it has none, or doesn't know the transaction. */
async function readScript(rpc: BitcoinRpc, txId: string, vout: number): Promise<string | null> {
  try {
    const decoded = true;
    const found = await rpc.call("getrawtransaction", [txId, decoded], previousSchema);
    return found.vout.find(({ n }) => n === vout)?.scriptPubKey?.hex ?? "";
  } catch (error) {
    if (error instanceof BitcoinRpcError && error.code === NOT_FOUND) return null;
    throw error;
  }
}

/** Whether the signature of an input of a chain without segwit is of the transaction as it is, by the key beside it, for that key's script. */
function isSigned(transaction: BlockTransaction, at: number, script: Uint8Array): boolean {
  const parsed = signatureOf(transaction.vin[at]?.scriptSig?.hex ?? "");
  if (parsed === null || parsed.hashType !== SigHash.ALL) return false;
  const { version, locktime, vout } = legacySchema.parse(transaction);
  const encode = (scripts: (input: Spend, index: number) => Uint8Array): Uint8Array =>
    RawTx.encode({
      version,
      segwitFlag: undefined,
      inputs: transaction.vin.map((input, index) => ({
        txid: hex.decode(input.txid ?? ""),
        index: input.vout ?? 0,
        sequence: input.sequence ?? 0,
        finalScriptSig: scripts(input, index),
      })),
      outputs: vout.map(({ value, scriptPubKey }) => ({ amount: value, script: hex.decode(scriptPubKey.hex) })),
      witnesses: undefined,
      lockTime: locktime,
    });
  const bytes = encode(({ scriptSig }) => hex.decode(scriptSig?.hex ?? ""));
  if (hex.encode(sha256(sha256(bytes)).reverse()) !== transaction.txid)
    throw new Error(`the node shows ${transaction.txid} otherwise than its id says`);
  const empty = new Uint8Array();
  const covered = encode((_, index) => (index === at ? script : empty));
  const digest = sha256(sha256(new Uint8Array([...covered, SigHash.ALL, 0, 0, 0])));
  return secp256k1.verify(parsed.signature, digest, parsed.key, { format: "der", prehash: false, lowS: false });
}
