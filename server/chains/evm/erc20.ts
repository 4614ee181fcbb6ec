import { decodeFunctionResult, encodeFunctionData, erc20Abi, toEventSelector, type Hex } from "viem";

export const TRANSFER_TOPIC = toEventSelector("Transfer(address,address,uint256)");

export const encodeTransfer = (to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });

export const encodeBalanceOf = (owner: Hex): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [owner] });

export const decodeBalanceOf = (data: Hex): bigint =>
  decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data });
