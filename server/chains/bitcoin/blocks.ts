import { hex } from "@scure/base";
import type { BlockRef, ObservedBlock, ObservedTransfer } from "../port.ts";
import type { Chain } from "./chain-params.ts";
import { createOwnSpends, type OwnSpends } from "./own-spends.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";
import { blockSchema, chainInfoSchema, hashSchema, headerSchema, type Block } from "./schemas.ts";
import { addressOfScript, movesOnly, signerOf } from "./transaction.ts";

/** What stands before the first block. */
const NO_PARENT = "0".repeat(64);
const OUT_OF_RANGE = -8;
/** A follower reads its newest block repeatedly, and a full block is megabytes. */
const CACHED_BLOCKS = 4;

/** The newest block. Throws while the node of a public chain is still syncing. */
export async function readHead(rpc: BitcoinRpc, chain: Chain): Promise<BlockRef> {
  const info = await rpc.call("getblockchaininfo", [], chainInfoSchema);
  if (chain.kind === "main" && info.initialblockdownload === true) throw new Error("the node is still syncing");
  const header = await rpc.call("getblockheader", [info.bestblockhash], headerSchema);
  return { ...refOf(header), ...(header.time !== undefined && { minedAt: header.time * 1_000 }) };
}

/** Reads blocks by height, with what they pay to anyone; null while there is none. */
export function createBlockReader(
  rpc: BitcoinRpc,
  chain: Chain,
  hotAddress: string | null,
): (height: number) => Promise<ObservedBlock | null> {
  const cached = new Map<string, ObservedBlock>();
  const own = hotAddress === null ? null : { hotAddress, ownSpends: createOwnSpends(rpc, chain, hotAddress) };
  return async (height) => {
    const hash = await readBlockHash(rpc, height);
    if (hash === null) return null;
    const known = cached.get(hash);
    if (known !== undefined) return known;
    const block = await rpc.call("getblock", [hash, 2], blockSchema);
    const payments = own === null ? { sent: [] } : await paymentsOf(chain, block, own);
    const observed = { ...refOf(block), transfers: transfersOf(chain, block), ...payments };
    for (const oldest of [...cached.keys()].slice(0, cached.size - CACHED_BLOCKS + 1)) cached.delete(oldest);
    cached.set(hash, observed);
    return observed;
  };
}

/** A block of the node's chain without what it pays; null while there is none. */
export async function readBlockRef(rpc: BitcoinRpc, height: number): Promise<BlockRef | null> {
  const hash = await readBlockHash(rpc, height);
  return hash === null ? null : refOf(await rpc.call("getblockheader", [hash], headerSchema));
}

/** The hash of the block at a height of the node's chain; null while there is none. */
export async function readBlockHash(rpc: BitcoinRpc, height: number): Promise<string | null> {
  try {
    return await rpc.call("getblockhash", [height], hashSchema);
  } catch (error) {
    if (error instanceof BitcoinRpcError && error.code === OUT_OF_RANGE) return null;
    throw error;
  }
}

const refOf = ({
  height,
  hash,
  previousblockhash,
}: Pick<Block, "height" | "hash" | "previousblockhash">): BlockRef => ({
  height,
  hash,
  parentHash: previousblockhash ?? NO_PARENT,
});

/** The transactions that the hot key has signed; apart from them those of the block that would pay nothing but its address, if it has. */
async function paymentsOf(
  chain: Chain,
  block: Block,
  { hotAddress, ownSpends }: { hotAddress: string; ownSpends: OwnSpends },
): Promise<{ sent: string[]; toOurselves: string[] }> {
  const candidates = block.tx.flatMap(({ txid, vin, vout }) => {
    const signers = vin.map((input) => signerOf(chain, input));
    return signers.includes(hotAddress) ? [{ txid, signers, recipients: vout.map(recipientOf.bind(null, chain)) }] : [];
  });
  const idsOf = (some: typeof candidates): string[] => some.map(({ txid }) => txid);
  const own = await ownSpends(block, idsOf(candidates));
  return {
    sent: idsOf(candidates.filter(({ txid }) => own.has(txid))),
    // By the block alone, so that nodes which can prove more or less of it say the same.
    toOurselves: idsOf(candidates.filter((one) => movesOnly(one, hotAddress))),
  };
}

const recipientOf = (chain: Chain, output: Block["tx"][number]["vout"][number]): string | null =>
  "ismweb" in output ? null : addressOfScript(chain, hex.decode(output.scriptPubKey.hex));

/** By script, never by the addresses that a node lists beside it: it lists those of keys that could only sign together with others. */
function transfersOf(chain: Chain, block: Block): ObservedTransfer[] {
  return block.tx.flatMap(({ txid, vout }) =>
    vout.flatMap((output) => {
      if ("ismweb" in output || output.value === 0n) return [];
      const toAddress = addressOfScript(chain, hex.decode(output.scriptPubKey.hex));
      if (toAddress === null) return [];
      return [{ txId: txid, outputIndex: output.n, toAddress, slug: chain.coin, amount: output.value }];
    }),
  );
}
