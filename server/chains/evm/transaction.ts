import { getAddress, keccak256, parseTransaction, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import * as z from "zod";
import { maxOf, minOf } from "#contract/money.ts";
import {
  amountBesideFee,
  NotEnoughFundsError,
  type Handle,
  type Payment,
  type PreparedPayment,
  type PreparedReplacement,
} from "../port.ts";
import { requireWithinCaps, type EvmCaps } from "./caps.ts";
import { NATIVE_GAS, readGasPrice } from "./fees.ts";
import { decodeBalanceOf, encodeBalanceOf, encodeTransfer } from "./erc20.ts";
import type { EvmInstruments } from "./instruments.ts";
import type { EvmRpc } from "./rpc.ts";
import { bumped, feesOf, highest, replacementFees, type Fees } from "./replacement.ts";
import { bytesSchema, heightSchema, quantitySchema } from "./schemas.ts";

const amountSchema = z.string().regex(/^\d+$/).transform(BigInt);

/**
 * A handle fixes the nonce, which lets one transaction at most take effect, and the fees, so that preparing twice
 * yields the same bytes.
 */
const handleSchema = z.object({
  from: z.string(),
  nonce: z.int().nonnegative(),
  gas: amountSchema,
  maxFeePerGas: amountSchema,
  maxPriorityFeePerGas: amountSchema,
});

type HandleData = { from: Hex; nonce: number; gas: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

export const keyOfNonce = (from: Hex, nonce: number): string => `${from}:${nonce}`;

export const handleOf = ({ from, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: HandleData): Handle => ({
  keys: [keyOfNonce(from, nonce)],
  data: {
    from,
    nonce,
    gas: `${gas}`,
    maxFeePerGas: `${maxFeePerGas}`,
    maxPriorityFeePerGas: `${maxPriorityFeePerGas}`,
  },
});

/** The gas limit at the maximum price: what the chain takes at most. */
export function maxCostOf({ data }: Handle): bigint {
  const { gas, maxFeePerGas } = handleSchema.parse(data);
  return gas * maxFeePerGas;
}

/** The nonce after those that are mined or reserved for an account. */
export function nextNonce(from: Hex, mined: number, reserved: readonly Handle[]): number {
  const taken = reserved.flatMap(({ data }) => {
    const handle = handleSchema.parse(data);
    return handle.from === from ? [handle.nonce + 1] : [];
  });
  return Math.max(mined, ...taken);
}

export type Signer = { account: PrivateKeyAccount; chainId: number; instruments: EvmInstruments; caps: EvmCaps };

/**
 * Signs an empty payment to the account itself on the nonce of a handle, at this price or what replaces all that was signed on it. Null
 * where it would replace an earlier empty one and the caps leave no room.
 */
export async function signCancellation(
  { account, chainId, caps }: Signer,
  handle: Handle,
  stuck: readonly PreparedPayment[],
  price: Fees,
): Promise<(PreparedPayment & { maxCost: bigint }) | null> {
  const { from, nonce, ...own } = readHandle(handle, account);
  const before = highest([own, ...(await feesOf(stuck, { from, nonce }))]);
  const maxFeePerGas = within(caps.maxFeePerGas, price.maxFeePerGas, bumped(before.maxFeePerGas));
  const tip = within(caps.maxPriorityFeePerGas, price.maxPriorityFeePerGas, bumped(before.maxPriorityFeePerGas));
  const maxPriorityFeePerGas = minOf(tip, maxFeePerGas);
  const isBump = maxFeePerGas >= bumped(before.maxFeePerGas) && tip >= bumped(before.maxPriorityFeePerGas);
  if (!isBump && stuck.some(({ raw }) => isEmpty(raw))) return null;
  const empty = { to: account.address, value: 0n, gas: NATIVE_GAS };
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId,
    nonce,
    ...empty,
    maxFeePerGas,
    maxPriorityFeePerGas,
  });
  return { raw, txId: keccak256(raw), maxCost: NATIVE_GAS * maxFeePerGas };
}

/** Whether it pays nobody, and only uses its nonce. */
function isEmpty(raw: string): boolean {
  const { value = 0n, data } = parseTransaction(raw as `0x02${string}`);
  return value === 0n && data === undefined;
}

const within = (cap: bigint, one: bigint, other: bigint): bigint => minOf(cap, maxOf(one, other));

type Stuck = {
  payment: Payment;
  handle: Handle;
  stuck: readonly PreparedPayment[];
  /** The coins that the account has for gas; absent where the caller checks what it can pay. */
  coins?: () => Promise<bigint>;
  /** Whether the fee comes out of the amount, which then gets smaller. */
  isFeeIncluded?: boolean;
  /** What it should cost at most, in wei. */
  costLimit?: bigint | null;
};

/**
 * Signs a transfer on the nonce of a handle once more, so that it replaces what is stuck there. Null while that gains nothing, or the
 * nonce is not the next one of its account.
 */
export async function signReplacement(
  rpc: EvmRpc,
  signer: Signer,
  { payment, handle, stuck, coins, isFeeIncluded = false, costLimit = null }: Stuck,
): Promise<PreparedReplacement | null> {
  const { from, nonce, gas } = readHandle(handle, signer.account);
  // What waits behind another nonce would gain nothing, and a used one is over.
  if ((await rpc.call("eth_getTransactionCount", [from, "latest"], heightSchema)) !== nonce) return null;
  const before = await feesOf(stuck, { from, nonce });
  const held = (await coins?.()) ?? null;
  const affordable = held === null ? null : held / gas;
  const limit = costLimit === null ? null : costLimit / gas;
  // As where empty payments on the nonces below have used a part of what it was to move.
  const isUnpayable = isFeeIncluded && held !== null && stuck.every(({ raw }) => takenBy(raw) > held);
  const fees = replacementFees(before, await readGasPrice(rpc), { caps: signer.caps, affordable, limit, isUnpayable });
  if (fees === null) return null;
  const maxCost = gas * fees.maxFeePerGas;
  const amount = held === null || !isFeeIncluded ? payment.amount : amountBeside(maxCost, held, payment.amount);
  const prepared = await signTransfer(signer, { ...payment, amount }, handleOf({ from, nonce, gas, ...fees }));
  return { ...prepared, maxCost, ...(amount < payment.amount && { amount }) };
}

/**
 * What replaces plain transfers to ourselves of which only the handles are known. Null while that gains nothing, or their nonce is not the next
 * one of the account.
 */
export async function takeoverHandle(
  rpc: EvmRpc,
  { account, caps }: Pick<Signer, "account" | "caps">,
  waiting: readonly Handle[],
): Promise<Handle | null> {
  const before = waiting.map((handle) => readHandle(handle, account));
  const [first] = before;
  if (first === undefined) return null;
  const { from, nonce } = first;
  if (before.some((one) => one.nonce !== nonce)) return null;
  if ((await rpc.call("eth_getTransactionCount", [from, "latest"], heightSchema)) !== nonce) return null;
  const fees = replacementFees(before, await readGasPrice(rpc), { caps });
  return fees === null ? null : handleOf({ from, nonce, gas: NATIVE_GAS, ...fees });
}

/** All that a transaction may take from its account. */
function takenBy(raw: string): bigint {
  const { value = 0n, gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw as `0x02${string}`);
  return value + gas * maxFeePerGas;
}

function amountBeside(maxCost: bigint, held: bigint, wanted: bigint): bigint {
  const left = amountBesideFee(held, maxCost);
  if (left === null) throw new NotEnoughFundsError(`to move ${held} would cost ${maxCost}`);
  return minOf(left, wanted);
}

function readHandle({ keys, data }: Handle, account: PrivateKeyAccount): HandleData {
  const handle = handleSchema.parse(data);
  if (handle.from !== account.address) throw new Error(`the handle ${keys.join()} belongs to another wallet`);
  return { ...handle, from: account.address };
}

/** Signs a transfer of the network's coin or of a token, and sends nothing. */
export async function signTransfer(
  { account, chainId, instruments, caps }: Signer,
  payment: Payment,
  handle: Handle,
): Promise<PreparedPayment> {
  const { from: _, ...fees } = readHandle(handle, account);
  const { to, contract } = recipientOf(instruments, payment);
  requireWithinCaps(fees, caps, contract);
  const what =
    contract === null ? { to, value: payment.amount } : { to: contract, data: encodeTransfer(to, payment.amount) };
  const raw = await account.signTransaction({ type: "eip1559", chainId, ...fees, ...what });
  return { raw, txId: keccak256(raw) };
}

export const recipientOf = (instruments: EvmInstruments, payment: Payment) => ({
  to: getAddress(payment.toAddress),
  contract: instruments.contractOf(payment.slug),
});

/** The balance of an address, in minor units of the instrument. */
export async function balanceAt(rpc: EvmRpc, instruments: EvmInstruments, owner: Hex, slug: string): Promise<bigint> {
  const contract = instruments.contractOf(slug);
  if (contract === null) return rpc.call("eth_getBalance", [owner, "latest"], quantitySchema);
  const data = await rpc.call("eth_call", [{ to: contract, data: encodeBalanceOf(owner) }, "latest"], bytesSchema);
  return decodeBalanceOf(data as Hex);
}
