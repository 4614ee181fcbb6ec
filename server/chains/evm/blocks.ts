import { numberToHex } from "viem";
import * as z from "zod";
import type { BlockRef, MoveToHot, ObservedBlock, ObservedTransfer } from "../port.ts";
import { readTransferLog, TRANSFER_TOPIC } from "./erc20.ts";
import type { EvmInstruments } from "./instruments.ts";
import type { EvmRpc } from "./rpc.ts";
import { asksOnlyItself, ranNothing } from "./to-ourselves.ts";
import { blockRefSchema, fullBlockSchema, logSchema, receiptSchema, type FullBlock, type Receipt } from "./schemas.ts";

/** The output index of value that a transaction carries itself, which no log numbers. */
const NATIVE_OUTPUT = -1;
const RECEIPTS_AT_ONCE = 20;

export async function readHead(rpc: EvmRpc): Promise<BlockRef> {
  const block = await rpc.call("eth_getBlockByNumber", ["latest", false], blockRefSchema);
  const { number: height, hash, parentHash, timestamp } = block;
  return { height, hash, parentHash, ...(timestamp !== undefined && { minedAt: timestamp * 1_000 }) };
}

/** The block of a height without what it moves; null while there is none. */
export async function readBlockRef(rpc: EvmRpc, height: number): Promise<BlockRef | null> {
  const block = await rpc.call("eth_getBlockByNumber", [numberToHex(height), false], blockRefSchema.nullable());
  return block && { height: block.number, hash: block.hash, parentHash: block.parentHash };
}

/**
 * Reads the block of a height with all value that it moves to anyone; null while there is none. Throws when the chain changes
 * between two calls, so that what is given belongs to the block that names it.
 */
export async function readBlock(
  rpc: EvmRpc,
  instruments: EvmInstruments,
  height: number,
  hotAddress: string | null,
): Promise<ObservedBlock | null> {
  const block = await rpc.call("eth_getBlockByNumber", [numberToHex(height), true], fullBlockSchema.nullable());
  if (block === null) return null;
  const [native, tokens] = await Promise.all([
    nativeTransfers(rpc, instruments, block),
    tokenTransfers(rpc, instruments, block),
  ]);
  const own = block.transactions.filter(({ from }) => from === hotAddress);
  const { number: at, hash, parentHash } = block;
  const sent = own.map((transaction) => transaction.hash);
  const toOurselves = await plainMoves(rpc, block, own);
  const all = [...native, ...tokens];
  const transfers = all.map(({ txId, outputIndex, toAddress, slug, amount }) => ({
    txId,
    outputIndex,
    toAddress,
    slug,
    amount,
  }));
  const moved = movesTo(hotAddress, block, all);
  return { height: at, hash, parentHash, transfers, sent, toOurselves, moved };
}

type Transfer = ObservedTransfer & { from: string };

/** Each of whose transaction moves nothing else to there, and is signed by the account that it is moved from. */
function movesTo(hotAddress: string | null, block: FullBlock, transfers: readonly Transfer[]): MoveToHot[] {
  const toHot = transfers.filter(({ toAddress }) => toAddress === hotAddress);
  if (toHot.length === 0) return [];
  const signers = new Map(block.transactions.map(({ hash, from }) => [hash, from]));
  return [...Map.groupBy(toHot, ({ txId }) => txId)].flatMap(([txId, [one, ...more]]) =>
    one === undefined || more.length > 0 || one.from === hotAddress || signers.get(txId) !== one.from
      ? []
      : [{ txId, fromAddress: one.from, slug: one.slug, amount: one.amount }],
  );
}

/** The ids of those that did nothing but move the coin of their account to itself. */
async function plainMoves(rpc: EvmRpc, block: FullBlock, own: FullBlock["transactions"]): Promise<string[]> {
  const asked = own.filter((transaction) => asksOnlyItself(transaction, transaction.from));
  if (asked.length === 0) return [];
  const receipts = await receiptsIn(rpc, block, asked);
  return asked.flatMap(({ hash }) => {
    const receipt = receipts.get(hash);
    return receipt !== undefined && ranNothing(receipt) ? [hash] : [];
  });
}

async function nativeTransfers(rpc: EvmRpc, instruments: EvmInstruments, block: FullBlock): Promise<Transfer[]> {
  const carriers = block.transactions.flatMap(({ hash, from, to, value }) =>
    to && value > 0n ? [{ hash, from, to, value }] : [],
  );
  if (carriers.length === 0) return [];
  const succeeded = await succeededIn(rpc, block, carriers);
  return carriers
    .filter(({ hash }) => succeeded.has(hash))
    .map(({ hash, from, to, value }) => ({
      txId: hash,
      from,
      outputIndex: NATIVE_OUTPUT,
      toAddress: to,
      slug: instruments.native,
      amount: value,
    }));
}

/** The ids of those transactions that changed the chain: a reverted one stands in its block as well, but moves nothing. */
async function succeededIn(rpc: EvmRpc, block: FullBlock, carriers: readonly { hash: string }[]): Promise<Set<string>> {
  const receipts = await receiptsIn(rpc, block, carriers);
  return new Set([...receipts.values()].filter(({ status }) => status).map(({ transactionHash }) => transactionHash));
}

async function receiptsIn(
  rpc: EvmRpc,
  block: FullBlock,
  asked: readonly { hash: string }[],
): Promise<Map<string, Receipt>> {
  const receipts = new Map<string, Receipt>();
  for (const receipt of await receiptsOf(rpc, block, asked)) receipts.set(receipt.transactionHash, receipt);
  for (const { hash } of asked)
    if (receipts.get(hash)?.blockHash !== block.hash)
      throw new Error(`the receipt of ${hash} is not of block ${block.hash}`);
  return receipts;
}

async function receiptsOf(rpc: EvmRpc, block: FullBlock, carriers: readonly { hash: string }[]): Promise<Receipt[]> {
  try {
    return await rpc.call("eth_getBlockReceipts", [numberToHex(block.number)], z.array(receiptSchema));
  } catch (error) {
    if (!isMissingMethod(error)) throw error;
    return receiptsOneByOne(rpc, carriers);
  }
}

async function receiptsOneByOne(rpc: EvmRpc, carriers: readonly { hash: string }[]): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (let from = 0; from < carriers.length; from += RECEIPTS_AT_ONCE) {
    const some = carriers.slice(from, from + RECEIPTS_AT_ONCE);
    receipts.push(
      ...(await Promise.all(some.map(({ hash }) => rpc.call("eth_getTransactionReceipt", [hash], receiptSchema)))),
    );
  }
  return receipts;
}

const METHOD_NOT_FOUND = -32601;
const METHOD_NOT_SUPPORTED = -32004;

const isMissingMethod = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === METHOD_NOT_FOUND || error.code === METHOD_NOT_SUPPORTED);

async function tokenTransfers(rpc: EvmRpc, instruments: EvmInstruments, block: FullBlock): Promise<Transfer[]> {
  // Only transactions write logs.
  if (instruments.tokens.size === 0 || block.transactions.length === 0) return [];
  const filter = { blockHash: block.hash, address: [...instruments.tokens.keys()], topics: [TRANSFER_TOPIC] };
  const logs = await rpc.call("eth_getLogs", [filter], z.array(logSchema));
  const positions = new Map<string, number>();
  return logs.sort(byLogIndex).flatMap((log) => {
    const slug = instruments.tokens.get(log.address);
    const transfer = readTransferLog(log);
    // A node may answer more than it was asked for: only a known contract's own Transfer counts.
    if (slug === undefined || transfer === null || log.removed || log.blockHash !== block.hash) return [];
    // The log's own number counts over the whole block, so it changes with a block that a reorganisation puts in its place.
    const outputIndex = positions.get(log.transactionHash) ?? 0;
    positions.set(log.transactionHash, outputIndex + 1);
    const { from, to: toAddress, amount } = transfer;
    if (amount === 0n) return [];
    return [{ txId: log.transactionHash, outputIndex, from, toAddress, slug, amount }];
  });
}

const byLogIndex = (one: { logIndex: number }, other: { logIndex: number }): number => one.logIndex - other.logIndex;
