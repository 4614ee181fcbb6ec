import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  sliceHex,
  toEventSelector,
  toFunctionSelector,
  type Hex,
} from "viem";
import type { Log } from "./schemas.ts";

export const TRANSFER_TOPIC = toEventSelector("Transfer(address,address,uint256)");
const TRANSFER_SELECTOR = toFunctionSelector("transfer(address,uint256)");

export const encodeTransfer = (to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });

/** What a call of `transfer` asks for; null for other calls. */
export function decodeTransfer(data: Hex): { to: Hex; amount: bigint } | null {
  if (!data.startsWith(TRANSFER_SELECTOR)) return null;
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
  return functionName === "transfer" ? { to: args[0], amount: args[1] } : null;
}

/** What a Transfer event says, whoever emitted it; null for other events. */
export function readTransferLog({ topics, data }: Log): { from: Hex; to: Hex; amount: bigint } | null {
  const [topic, from, to] = topics;
  if (topic !== TRANSFER_TOPIC || from === undefined || to === undefined || topics.length !== 3) return null;
  if (data.length !== 66) return null;
  const addressIn = (word: string) => getAddress(sliceHex(word as Hex, 12));
  return { from: addressIn(from), to: addressIn(to), amount: BigInt(data) };
}

export const encodeBalanceOf = (owner: Hex): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [owner] });

export const decodeBalanceOf = (data: Hex): bigint =>
  decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data });
