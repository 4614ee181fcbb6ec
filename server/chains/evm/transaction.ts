import { getAddress, keccak256, type Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import * as z from "zod";
import type { Handle, Payment, PreparedPayment } from "../port.ts";
import { requireWithinCaps, type EvmCaps } from "./caps.ts";
import { NATIVE_GAS } from "./fees.ts";
import { decodeBalanceOf, encodeBalanceOf, encodeTransfer } from "./erc20.ts";
import type { EvmInstruments } from "./instruments.ts";
import type { EvmRpc } from "./rpc.ts";
import { bytesSchema, quantitySchema } from "./schemas.ts";

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

export const handleOf = ({ from, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: HandleData): Handle => ({
  keys: [`${from}:${nonce}`],
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

/** A node that holds the payment takes another one on its nonce only if that pays an eighth more. */
const bumped = (fee: bigint): bigint => fee + fee / 8n + 1n;

/** Signs an empty payment to the account itself on the nonce of a handle, at this price or what replaces the handle's own. */
export async function signCancellation(
  { account, chainId, caps }: Signer,
  handle: Handle,
  price: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
): Promise<PreparedPayment> {
  const { from, nonce, ...fees } = handleSchema.parse(handle.data);
  if (from !== account.address) throw new Error(`the handle ${handle.keys.join()} belongs to another wallet`);
  const maxFeePerGas = within(caps.maxFeePerGas, price.maxFeePerGas, bumped(fees.maxFeePerGas));
  const tip = within(caps.maxPriorityFeePerGas, price.maxPriorityFeePerGas, bumped(fees.maxPriorityFeePerGas));
  const maxPriorityFeePerGas = tip < maxFeePerGas ? tip : maxFeePerGas;
  const empty = { to: account.address, value: 0n, gas: NATIVE_GAS };
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId,
    nonce,
    ...empty,
    maxFeePerGas,
    maxPriorityFeePerGas,
  });
  return { raw, txId: keccak256(raw) };
}

function within(cap: bigint, one: bigint, other: bigint): bigint {
  const higher = one > other ? one : other;
  return higher < cap ? higher : cap;
}

/** Signs a transfer of the network's coin or of a token, and sends nothing. */
export async function signTransfer(
  { account, chainId, instruments, caps }: Signer,
  payment: Payment,
  handle: Handle,
): Promise<PreparedPayment> {
  const { from, ...fees } = handleSchema.parse(handle.data);
  if (from !== account.address) throw new Error(`the handle ${handle.keys.join()} belongs to another wallet`);
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
