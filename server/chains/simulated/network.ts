import type { Database } from "../../db/database.ts";
import type { NetworkWallet } from "../port.ts";
import { mineBlocks } from "./blocks.ts";
import { createControls, type SimulatedControls } from "./controls.ts";
import { deriveAddress } from "./keys.ts";
import { admit } from "./mempool.ts";
import { createNode, type NodeParts, type SimulatedNode } from "./node.ts";
import { PROFILES, type SimulatedInstrument, type SimulatedNetwork } from "./profiles.ts";
import { createSimulatedReader, type SimulatedReader } from "./reader.ts";
import { withChainLock, chainDatabase, type ChainDatabase } from "./tables.ts";
import { transactionId } from "./transaction.ts";
import { createSimulatedWallet } from "./wallet.ts";
import { randomHex } from "../../base/secrets.ts";

export type SimulatedChainOptions = {
  database: Database;
  networkTitle: string;
  instruments: readonly SimulatedInstrument[];
  /** What the hot wallet starts with, in minor units by slug: credited once for each, at the first start that names it. */
  initialBalances: ReadonlyMap<string, bigint>;
  now?: () => number;
  /** Called when the blocks were paused or resumed, by whichever process, once this one reads the chain. */
  onPaused?: (isPaused: boolean) => void;
};

export type SimulatedChain = {
  readonly networkTitle: string;
  readonly hotAddress: string;
  readonly node: SimulatedNode;
  readonly controls: SimulatedControls;
  /** Over the correct node, or over one with faults. */
  reader(node?: SimulatedNode): SimulatedReader;
  /** Signs with the seed: for processes with the worker role only. */
  wallet(node?: SimulatedNode): NetworkWallet;
};

/** A treasury with one output could pay only once a block. */
const INITIAL_OUTPUTS = 20;
/** Old enough that a reorganisation of any depth has blocks to replace. */
const FIRST_HEIGHT = 1_000;

/** Opens the chain of a network or creates it; every process on this database sees the same one. */
export async function openSimulatedChain(options: SimulatedChainOptions): Promise<SimulatedChain> {
  const { database, networkTitle, now = Date.now } = options;
  const profile = PROFILES.get(networkTitle);
  if (profile === undefined) throw new Error(`${networkTitle} can't be simulated`);
  const seed = await seedOf(database, networkTitle, new Date(now() + profile.blockMs));
  let reported = false;
  const onState = ({ paused }: { paused: boolean }) => {
    if (paused !== reported) options.onPaused?.(paused);
    reported = paused;
  };
  const parts: NodeParts = { database, network: networkTitle, seed, profile, now, onState };
  const hotAddress = deriveAddress(networkTitle, seed, "hot");
  for (const [slug, amount] of options.initialBalances) await fund(parts, hotAddress, slug, amount);

  const instruments = new Map(options.instruments.map((instrument) => [instrument.slug, instrument]));
  const shared: SimulatedNetwork = { networkTitle, seed, profile, instruments, hotAddress };
  const correct = createNode(parts);
  return {
    networkTitle,
    hotAddress,
    node: correct,
    controls: createControls(parts),
    reader: (node = correct) => createSimulatedReader(node, shared),
    wallet: (node = correct) => createSimulatedWallet(node, shared),
  };
}

async function seedOf(database: Database, network: string, next_block_at: Date): Promise<string> {
  const reads = chainDatabase(database);
  await reads
    .insertInto("sandbox_networks")
    .values({ network, seed: randomHex(32), height: FIRST_HEIGHT, next_block_at })
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
  const part = amount / BigInt(INITIAL_OUTPUTS);
  const amounts = Array.from({ length: INITIAL_OUTPUTS }, (_, at) => (at === 0 ? amount - part * 19n : part));
  const isGiven = async (source: ChainDatabase): Promise<boolean> => {
    const query = source.selectFrom("sandbox_transactions").select("tx_id");
    const known = await query.where("network", "=", network).where("tx_id", "=", txId).executeTakeFirst();
    return known !== undefined;
  };
  // A start of many processes at once would wait for each other's locks only to find that nothing is left to do.
  if (await isGiven(chainDatabase(database))) return;
  await withChainLock(database, network, async (writes, row) => {
    if (await isGiven(writes)) return;
    const outputs = amounts.map((part) => ({ address, memo: null, slug, amount: part }));
    await admit(writes, network, { txId, sender: null, nonce: null, fee: 0n, outputs, debits: [] });
    await mineBlocks(writes, network, row, 1);
  });
}
