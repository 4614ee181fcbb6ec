import { setImmediate } from "node:timers/promises";
import { hex } from "@scure/base";
import * as z from "zod";
import type { ObservedTransfer } from "../port.ts";
import type { Chain } from "./chain-params.ts";
import { createNodeWallet, openWatchWallet, SLOW_CALL_MS, type NodeWallet } from "./node-wallet.ts";
import type { BitcoinRpc } from "./rpc.ts";
import { unspentSchema } from "./schemas.ts";
import { addressOfScript } from "./transaction.ts";

/** Addresses that are imported at once, beginning at a multiple of it. */
const CHUNK = 256n;
/** Imported beyond the newest index, so that an address is watched before anybody knows it. */
const AHEAD = 128n;
/** Chunks below the newest index that a new wallet gets: orders before them are long over. */
const CHUNKS_BACK = 8n;
const LABEL = "wherry-deposits";
const [UNCONFIRMED, EVERY_ADDRESS] = [0, [] as string[]];

const importedSchema = z.array(z.object({ success: z.boolean() }));
const labelsSchema = z.object({ labels: z.array(z.string()) });
const validatedSchema = z.object({ iswatchonly: z.boolean().default(false) });
const descriptorSchema = z.object({ descriptor: z.string() });

/**
 * Reads what the node's mempool pays to deposit addresses, by a watch-only wallet of the node that has the newest ones. A payment
 * that was replaced or evicted is no unspent output any more. The blocks are read without this wallet: it is no proof of a deposit.
 */
export function createDepositWatch(
  rpc: BitcoinRpc,
  chain: Chain,
  addressAt: (index: bigint) => string,
): (lastIndex: bigint) => Promise<ObservedTransfer[]> {
  const option = chain.watching === "single wallet" ? {} : { wallet: `${LABEL}-${addressAt(0n)}` };
  const wallet = createNodeWallet(rpc, option, async () => {
    if (option.wallet !== undefined) await openWatchWallet(rpc, chain, option.wallet);
  });
  let nextChunk: bigint | null = null;

  const importUpTo = async (last: bigint): Promise<void> => {
    nextChunk ??= await firstMissingChunk(last);
    for (; nextChunk <= last; nextChunk += 1n) {
      const addresses: string[] = [];
      for (let index = nextChunk * CHUNK; index < (nextChunk + 1n) * CHUNK; index += 1n) {
        addresses.push(addressAt(index));
        // Yields to other work between two derivations.
        await setImmediate();
      }
      await importAddresses(wallet, chain, addresses);
    }
  };

  /** Chunks are imported in order, so the newest one that is there says that those before it are. */
  const firstMissingChunk = async (last: bigint): Promise<bigint> => {
    const oldest = last > CHUNKS_BACK ? last - CHUNKS_BACK : 0n;
    for (let chunk = last; chunk >= oldest; chunk -= 1n)
      if (await isWatched(wallet, chain, addressAt((chunk + 1n) * CHUNK - 1n))) return chunk + 1n;
    return oldest;
  };

  return async (lastIndex) => {
    await importUpTo((lastIndex + AHEAD) / CHUNK);
    const coins = await wallet.call("listunspent", [UNCONFIRMED, UNCONFIRMED, EVERY_ADDRESS], z.array(unspentSchema));
    return coins.flatMap(({ txid, vout, amount, scriptPubKey }) => {
      const toAddress = addressOfScript(chain, hex.decode(scriptPubKey));
      return toAddress === null ? [] : [{ txId: txid, outputIndex: vout, toAddress, slug: chain.coin, amount }];
    });
  };
}

async function isWatched(wallet: NodeWallet, chain: Chain, address: string): Promise<boolean> {
  if (chain.watching === "single wallet")
    return (await wallet.call("validateaddress", [address], validatedSchema)).iswatchonly;
  return (await wallet.call("getaddressinfo", [address], labelsSchema)).labels.includes(LABEL);
}

/** Without a search of the past: what is in blocks is read from the blocks. */
async function importAddresses(wallet: NodeWallet, chain: Chain, addresses: readonly string[]): Promise<void> {
  const results =
    chain.watching === "descriptors"
      ? await wallet.call("importdescriptors", [await descriptorsOf(wallet, addresses)], importedSchema, SLOW_CALL_MS)
      : await wallet.call("importmulti", [addresses.map(scriptOf), { rescan: false }], importedSchema, SLOW_CALL_MS);
  if (!results.every(({ success }) => success)) throw new Error("the node refused to watch a deposit address");
}

const scriptOf = (address: string) => ({ scriptPubKey: { address }, timestamp: "now", watchonly: true, label: LABEL });

async function descriptorsOf(wallet: NodeWallet, addresses: readonly string[]) {
  const wanted = [];
  for (const address of addresses) {
    const { descriptor } = await wallet.call("getdescriptorinfo", [`addr(${address})`], descriptorSchema);
    wanted.push({ desc: descriptor, timestamp: "now", label: LABEL });
  }
  return wanted;
}
