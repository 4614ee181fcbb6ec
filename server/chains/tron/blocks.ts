import * as z from "zod";
import { base58OfHex } from "../addresses/trx.ts";
import { WrongChainError, type ObservedBlock, type ObservedTransfer } from "../port.ts";
import { TRANSFER_TOPIC } from "./contract-calls.ts";
import type { TronInstruments } from "./instruments.ts";
import type { TronRpc } from "./rpc.ts";
import {
  fullBlockSchema,
  infoSchema,
  senderSchema,
  transferSchema,
  type TronBlock,
  type TronInfo,
  type TronTransaction,
  blockRefSchema,
  type TronBlockRef,
} from "./schemas.ts";

/** The output index of value that a transaction carries itself, which no log numbers. */
const NATIVE_OUTPUT = -1;
const SUCCESS = "SUCCESS";

/**
 * Reads solidified blocks with all value that they move to anyone; null while there is none of that height. Throws when the node returns
 * a block without its receipts: what it hasn't indexed yet may hold a deposit. The newest block is cached, because followers poll it.
 */
export function createBlockReader(http: TronRpc, instruments: TronInstruments, hotAddress: string | null) {
  let newest: ObservedBlock | null = null;
  return async (height: number): Promise<ObservedBlock | null> => {
    const ref = await readSolidRef(http, height);
    if (ref === null) return null;
    if (newest?.hash === ref.hash) return newest;
    const [block, infos] = await Promise.all([
      http.call("walletsolidity/getblockbynum", { num: height }, fullBlockSchema),
      readInfos(http, height),
    ]);
    if (block?.hash !== ref.hash) throw new Error(`the chain changed while block ${height} was read`);
    const observed = {
      height,
      hash: ref.hash,
      parentHash: ref.parentHash,
      transfers: transfersIn(block, infos, instruments),
      sent: hotAddress === null ? [] : paymentsIn(block, hotAddress),
    };
    if (newest === null || newest.height <= height) newest = observed;
    return observed;
  };
}

async function readInfos(http: TronRpc, height: number): Promise<TronInfo[]> {
  // The first block has no receipts, which is said by `{}`.
  const none = z.strictObject({}).transform((): TronInfo[] => []);
  const infos = z.union([z.array(infoSchema), none]);
  return http.call("walletsolidity/gettransactioninfobyblocknum", { num: height }, infos);
}

/** What an account has signed, whether it succeeded or not. */
function paymentsIn({ height, transactions }: TronBlock, from: string): string[] {
  if (height === 0) return [];
  return transactions.flatMap((transaction) => (isSignedBy(transaction, from) ? [transaction.txID] : []));
}

export const isSignedBy = (transaction: TronTransaction, from: string): boolean =>
  transaction.raw_data.contract.some(
    ({ parameter }) => senderSchema.safeParse(parameter.value).data?.owner_address === from,
  );

function transfersIn(block: TronBlock, infos: readonly TronInfo[], instruments: TronInstruments): ObservedTransfer[] {
  if (block.height === 0) return [];
  const byId = new Map(infos.map((info) => [info.id, info]));
  return block.transactions.flatMap((transaction) => {
    const info = byId.get(transaction.txID);
    if (info?.blockNumber !== block.height)
      throw new Error(`block ${block.height} came without the receipt of ${transaction.txID}`);
    if (!hasSucceeded(transaction, info)) return [];
    return [...nativeTransfer(transaction, instruments), ...tokenTransfers(info, instruments)];
  });
}

/** Both say how it ended; a transaction that reverted stands in its block as well, but moves nothing. */
const hasSucceeded = ({ ret }: TronTransaction, info: TronInfo): boolean =>
  succeeded(info) && (ret ?? []).every(({ contractRet = SUCCESS }) => contractRet === SUCCESS);

/** Whether a receipt is one of success: a contract's call says so, anything else doesn't say that it failed. */
export const succeeded = ({ result, receipt }: Pick<TronInfo, "result" | "receipt">): boolean =>
  (result ?? SUCCESS) === SUCCESS && (receipt.result ?? SUCCESS) === SUCCESS;

/** What it moves of the network's own coin if it succeeds. */
export function nativeTransfer({ txID, raw_data }: TronTransaction, { native }: TronInstruments): ObservedTransfer[] {
  const [contract] = raw_data.contract;
  if (contract?.type !== "TransferContract") return [];
  const { amount, to_address: toAddress } = transferSchema.parse(contract.parameter.value);
  return amount === 0n ? [] : [{ txId: txID, outputIndex: NATIVE_OUTPUT, toAddress, slug: native, amount }];
}

function tokenTransfers({ id, log }: TronInfo, { tokens }: TronInstruments): ObservedTransfer[] {
  return log.flatMap((one, outputIndex) => {
    const slug = tokens.get(one.address);
    const transfer = readTransferLog(one);
    if (slug === undefined || transfer === null || transfer.amount === 0n) return [];
    return [{ txId: id, outputIndex, toAddress: base58OfHex(`41${transfer.to}`), slug, amount: transfer.amount }];
  });
}

/** A token's event of a transfer: addresses as 20 bytes in hex. Null for another event. */
export function readTransferLog({
  topics,
  data,
}: TronInfo["log"][number]): { from: string; to: string; amount: bigint } | null {
  const [topic, from, to] = topics;
  if (topic !== TRANSFER_TOPIC || from === undefined || to === undefined || topics.length !== 3) return null;
  return { from: from.slice(24), to: to.slice(24), amount: data.length === 64 ? BigInt(`0x${data}`) : 0n };
}

/** The block of a height among those that two thirds of the producers have built on; null while there is none. */
export async function readSolidRef(http: TronRpc, height: number): Promise<TronBlockRef | null> {
  const ref = await http.call("walletsolidity/getblock", { id_or_num: `${height}`, detail: false }, blockRefSchema);
  if (ref !== null && ref.height !== height) throw new Error(`the node answered block ${ref.height} for ${height}`);
  return ref;
}

/** The newest block that is final. */
export async function readSolidHead(http: TronRpc): Promise<TronBlockRef> {
  const head = await http.call("walletsolidity/getblock", { detail: false }, blockRefSchema);
  if (head === null) throw new Error("the node has no solidified block");
  return head;
}

/** The newest block, which may still be replaced. */
export async function readHead(http: TronRpc): Promise<TronBlockRef> {
  const head = await http.call("wallet/getblock", { detail: false }, blockRefSchema);
  if (head === null) throw new Error("the node has no block");
  return head;
}

/** Checks once which chain the node serves; until the check passes, every call repeats it. */
export function checkChainOnce(http: TronRpc, chainId: number): () => Promise<void> {
  let isChecked = false;
  return async () => {
    if (isChecked) return;
    const genesis = await readSolidRef(http, 0);
    if (genesis === null) throw new Error("the node has no first block");
    // A chain is called by the last four bytes of its first block, as in CAIP-2 and eth_chainId.
    const answered = Number.parseInt(genesis.hash.slice(-8), 16);
    if (answered !== chainId) throw new WrongChainError(`the node serves chain ${answered}, not ${chainId}`);
    isChecked = true;
  };
}
