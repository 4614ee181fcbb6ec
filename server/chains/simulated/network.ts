import { randomBytes } from "node:crypto";
import type { Database } from "../../db/database.ts";
import type { NetworkWallet } from "../port.ts";
import { mineBlocks } from "./blocks.ts";
import { deriveAddress } from "./derivation.ts";
import { transactionId } from "./hashes.ts";
import { admit } from "./mempool.ts";
import { createNode, type NodeParts, type SandboxNode } from "./node.ts";
import { PROFILES } from "./profiles.ts";
import { createSandboxReader, type SandboxReader } from "./reader.ts";
import { changing, readsOf, type SandboxReads } from "./tables.ts";
import { createSandboxWallet } from "./wallet.ts";
import { createWorld, type SandboxWorld } from "./world.ts";

/** `contractAddress` is null for the network's own coin. */
export type SandboxInstrument = { slug: string; contractAddress: string | null; decimals: number };

export type SandboxChainOptions = {
  database: Database;
  networkTitle: string;
  instruments: readonly SandboxInstrument[];
  /** What the hot wallet begins with, in minor units by slug: given once for each, at the first start that names it. */
  stock: ReadonlyMap<string, bigint>;
  now?: () => number;
};

export type SandboxChain = {
  readonly networkTitle: string;
  readonly hotAddress: string;
  readonly node: SandboxNode;
  readonly world: SandboxWorld;
  /** Over the honest node, or over one that misbehaves. */
  reader(node?: SandboxNode): SandboxReader;
  /** Signs with the seed: for processes with the worker role only. */
  wallet(node?: SandboxNode): NetworkWallet;
};

/** A treasury of one output could pay once a block. */
const STOCK_OUTPUTS = 20;
/** Old enough that a reorganisation of any depth has blocks to replace. */
const FIRST_HEIGHT = 1_000;

/** Opens the chain of a network, or begins it; every process on this database sees the same one. */
export async function openSandboxChain(options: SandboxChainOptions): Promise<SandboxChain> {
  const { database, networkTitle, now = Date.now } = options;
  const profile = PROFILES.get(networkTitle);
  if (profile === undefined) throw new Error(`the sandbox can't play ${networkTitle}`);
  const seed = await seedOf(database, networkTitle, new Date(now() + profile.blockMs));
  const parts: NodeParts = { database, network: networkTitle, seed, profile, now };
  const hotAddress = deriveAddress(networkTitle, seed, "hot");
  for (const [slug, amount] of options.stock) await fund(parts, hotAddress, slug, amount);

  const instruments = new Map(options.instruments.map((instrument) => [instrument.slug, instrument]));
  const shared = { networkTitle, seed, profile, instruments, hotAddress };
  const honest = createNode(parts);
  return {
    networkTitle,
    hotAddress,
    node: honest,
    world: createWorld(parts),
    reader: (node = honest) => createSandboxReader(node, shared),
    wallet: (node = honest) => createSandboxWallet(node, shared),
  };
}

async function seedOf(database: Database, network: string, next_block_at: Date): Promise<string> {
  const reads = readsOf(database);
  await reads
    .insertInto("sandbox_networks")
    .values({ network, seed: randomBytes(32).toString("hex"), height: FIRST_HEIGHT, next_block_at })
    .onConflict((conflict) => conflict.column("network").doNothing())
    .execute();
  const row = await reads
    .selectFrom("sandbox_networks")
    .select("seed")
    .where("network", "=", network)
    .executeTakeFirstOrThrow();
  return row.seed;
}

async function fund({ database, network, seed }: NodeParts, address: string, slug: string, amount: bigint) {
  const txId = transactionId(network, `${seed}|stock|${slug}`);
  const part = amount / BigInt(STOCK_OUTPUTS);
  const amounts = Array.from({ length: STOCK_OUTPUTS }, (_, at) => (at === 0 ? amount - part * 19n : part));
  const isGiven = async (source: SandboxReads): Promise<boolean> => {
    const query = source.selectFrom("sandbox_transactions").select("tx_id");
    const known = await query.where("network", "=", network).where("tx_id", "=", txId).executeTakeFirst();
    return known !== undefined;
  };
  // A start of many processes at once would wait for each other's locks only to find that nothing is left to do.
  if (await isGiven(readsOf(database))) return;
  await changing(database, network, async (writes, row) => {
    if (await isGiven(writes)) return;
    const outputs = amounts.map((part) => ({ address, memo: null, slug, amount: part }));
    await admit(writes, network, { txId, sender: null, nonce: null, fee: 0n, outputs, debits: [] });
    await mineBlocks(writes, network, row, 1);
  });
}
