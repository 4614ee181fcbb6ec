import * as z from "zod";
import type { Chain } from "./chain-params.ts";
import type { HotKey } from "./keys.ts";
import { createNodeWallet, openWatchWallet, reloadWallet, SLOW_CALL_MS, type WalletOption } from "./node-wallet.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import {
  amountSchema,
  headerSchema,
  unspentSchema,
  walletTransactionSchema,
  type WalletTransaction,
  heightSchema,
} from "./schemas.ts";
import { inputKeys, parseTransaction } from "./transaction.ts";

export type Unspent = z.infer<typeof unspentSchema>;

/** `confirmations` as of its transaction. */
type WalletOutput = { script: string; amount: bigint; confirmations: number };

/** A watch-only wallet of the node for our hot address. It holds no key: a compromised node can't spend. */
export type WatchWallet = {
  /**
   * Unspent coins of the hot address with at least so many confirmations, also unspent in the mempool; coinbases only
   * once they are mature.
   */
  unspent(confirmations: number): Promise<Unspent[]>;
  /** A transaction that concerns the hot address; null for any other. */
  transaction(txId: string): Promise<WalletTransaction | null>;
  /** An output, by its transaction; null where that does not concern the hot address, as far as the wallet knows. */
  output(txId: string, vout: number): Promise<WalletOutput | null>;
  /** The height from which on the wallet knows every coin of the hot address that blocks spend. */
  completeFrom(): Promise<number>;
  heightOf(blockHash: string): Promise<number>;
  /** The payments of the hot address in blocks that have spent one of these coins (`transaction:output`). */
  minedSpenders(coins: readonly string[]): Promise<{ txId: string; height: number }[]>;
  /** Payments of the hot address that are in no block, by id, whether or not the mempool holds them. */
  unminedPayments(): Promise<string[]>;
};

const NOT_FOUND = -5;
const ANY_DEPTH = 9_999_999;
/** Far more than wait in a mempool, or are made while a payment waits. */
const LISTED = 1_000;

const listedSchema = z.object({
  txid: z.string(),
  category: z.string(),
  confirmations: z.int().default(0),
  abandoned: z.boolean().default(false),
});

/** Outputs inside Litecoin's extension block have neither. */
const outputSchema = z.object({
  n: heightSchema.optional(),
  value: amountSchema.optional(),
  scriptPubKey: z.object({ hex: z.string() }).optional(),
});
const decodedSchema = z.object({ confirmations: z.int(), decoded: z.object({ vout: z.array(outputSchema) }) });

/** Watches the hot address through a wallet of the node, which is created and filled on first use. */
export function createWatchWallet(rpc: BitcoinRpc, chain: Chain, hot: Pick<HotKey, "address" | "script">): WatchWallet {
  const script = Buffer.from(hot.script).toString("hex");
  // A wallet for each address: one for other keys would mix in their coins.
  const options = chain.watching === "single wallet" ? {} : { wallet: `wherry-${hot.address}` };
  const wallet = createNodeWallet(rpc, options, () => startWatching(rpc, chain, hot.address, options));

  /** Payments of the hot address, the newest last. */
  const payments = async () => {
    const newest = await wallet.call("listtransactions", ["*", LISTED, 0, true], z.array(listedSchema));
    return newest.filter(({ category, abandoned }) => category === "send" && !abandoned);
  };
  const transaction = async (txId: string) => {
    try {
      return await wallet.call("gettransaction", [txId, true], walletTransactionSchema);
    } catch (error) {
      if (error instanceof BitcoinRpcError && error.code === NOT_FOUND) return null;
      throw error;
    }
  };
  const output = async (txId: string, vout: number) => {
    try {
      const verbose = true;
      const found = await wallet.call("gettransaction", [txId, true, verbose], decodedSchema);
      const { value = 0n, scriptPubKey } = found.decoded.vout.find(({ n }) => n === vout) ?? {};
      return { script: scriptPubKey?.hex ?? "", amount: value, confirmations: found.confirmations };
    } catch (error) {
      if (error instanceof BitcoinRpcError && error.code === NOT_FOUND) return null;
      throw error;
    }
  };
  const completeFrom = async () => {
    const { labels } = await wallet.call("getaddressinfo", [hot.address], labelsSchema);
    return scannedAt(labels) ?? Number.MAX_SAFE_INTEGER;
  };
  const heightOf = async (blockHash: string) => (await rpc.call("getblockheader", [blockHash], headerSchema)).height;

  return {
    unspent: async (confirmations) => {
      const coins = await wallet.call("listunspent", [confirmations, ANY_DEPTH, [hot.address]], z.array(unspentSchema));
      return coins.filter((coin) => coin.scriptPubKey === script);
    },
    transaction,
    output,
    completeFrom,
    minedSpenders: async (coins) => {
      const mined = (await payments()).filter(({ confirmations }) => confirmations > 0);
      const spenders: { txId: string; height: number }[] = [];
      for (const txId of new Set(mined.map(({ txid }) => txid))) {
        const found = await transaction(txId);
        if (found?.blockhash === undefined || found.confirmations <= 0) continue;
        if (inputKeys(parseTransaction(found.hex)).some((key) => coins.includes(key)))
          spenders.push({ txId, height: await heightOf(found.blockhash) });
      }
      return spenders;
    },
    unminedPayments: async () => {
      const waiting = (await payments()).filter(({ confirmations }) => confirmations === 0);
      return [...new Set(waiting.map(({ txid }) => txid))];
    },
    heightOf,
  };
}

/**
 * Labels the address once its history was scanned, so that an interrupted scan is repeated. The height of the chain follows: what is unspent
 * there is known, and all that came later.
 */
const SCANNED_LABEL = "wherry-hot";
/** Scanned even for a new wallet: no payment stays pending for longer. */
const RECENT_BLOCKS = 2_016;
const BLOCKS_A_CALL = 500;

const labelsSchema = z.object({ labels: z.array(z.string()) });
const anything = z.unknown();
const unspentsSchema = z.object({ unspents: z.array(z.object({ height: heightSchema })) });
const descriptorSchema = z.object({ descriptor: z.string() });
const importsSchema = z.array(z.object({ success: z.boolean() }));

/** Creates or opens the node's wallet, imports the address and scans its history. Throws while an earlier scan is running. */
async function startWatching(rpc: BitcoinRpc, chain: Chain, address: string, option: WalletOption): Promise<void> {
  if (chain.watching === "single wallet") return importIntoSingleWallet(rpc, address);
  await openWatchWallet(rpc, chain, option.wallet ?? "");
  const { labels } = await rpc.call("getaddressinfo", [address], labelsSchema, option);
  if (scannedAt(labels) !== null) return;
  // A wallet of before has the label alone.
  if (labels.includes(SCANNED_LABEL)) return markScanned(rpc, address, option);
  const { scanning } = await rpc.call("getwalletinfo", [], z.object({ scanning: anything }), option);
  if (scanning !== false && scanning !== undefined)
    throw new Error("the node is still scanning the history of the hot address");
  await importAddress(rpc, chain, address, option);
  await scanHistory(rpc, address, option);
  if (option.wallet !== undefined) await reloadWallet(rpc, option.wallet);
  await markScanned(rpc, address, option);
}

async function markScanned(rpc: BitcoinRpc, address: string, option: WalletOption): Promise<void> {
  const height = await rpc.call("getblockcount", [], heightSchema);
  await rpc.call("setlabel", [address, `${SCANNED_LABEL} ${height}`], anything, option);
}

function scannedAt(labels: readonly string[]): number | null {
  const [, height] = labels.map((label) => /^wherry-hot (\d+)$/.exec(label)).find((found) => found !== null) ?? [];
  return height === undefined ? null : Number(height);
}

async function importAddress(rpc: BitcoinRpc, chain: Chain, address: string, option: WalletOption): Promise<void> {
  if (chain.watching === "addresses") {
    const rescan = false;
    await rpc.call("importaddress", [address, "", rescan], anything, option);
    return;
  }
  const { descriptor } = await rpc.call("getdescriptorinfo", [`addr(${address})`], descriptorSchema);
  const wanted = [{ desc: descriptor, timestamp: "now", label: "" }];
  const [done] = await rpc.call("importdescriptors", [wanted], importsSchema, { ...option, timeoutMs: SLOW_CALL_MS });
  if (done?.success !== true) throw new Error("the node refused to watch the hot address");
}

/** From its oldest coin on; in steps, because a call that takes too long is cut off. */
async function scanHistory(rpc: BitcoinRpc, address: string, option: WalletOption): Promise<void> {
  const tip = await rpc.call("getblockcount", [], heightSchema);
  const found = await rpc.call("scantxoutset", ["start", [`addr(${address})`]], unspentsSchema, {
    timeoutMs: SLOW_CALL_MS,
  });
  const oldest = Math.min(tip - RECENT_BLOCKS, ...found.unspents.map(({ height }) => height));
  for (let from = Math.max(0, oldest); from <= tip; from += BLOCKS_A_CALL) {
    const to = Math.min(tip, from + BLOCKS_A_CALL - 1);
    await rpc.call("rescanblockchain", [from, to], anything, { ...option, timeoutMs: SLOW_CALL_MS });
  }
}

async function importIntoSingleWallet(rpc: BitcoinRpc, address: string): Promise<void> {
  const known = await rpc.call("validateaddress", [address], z.object({ iswatchonly: z.boolean().optional() }));
  if (known.iswatchonly === true) return;
  const rescan = true;
  await rpc.call("importaddress", [address, SCANNED_LABEL, rescan], anything, { timeoutMs: SLOW_CALL_MS });
}
