import { numberToHex, type Hex } from "viem";
import { encodeTransfer } from "./erc20.ts";
import type { EvmRpc } from "./rpc.ts";
import { feeBlockSchema, quantitySchema } from "./schemas.ts";

export type GasPrice = { baseFee: bigint; priorityFee: bigint };

/** The gas of a token transfer when no account is there to estimate it from: a first payment to a holder of USDT. */
export const USUAL_TOKEN_GAS = 65_000n;
export const NATIVE_GAS = 21_000n;

/** Reads what gas costs now, in wei. */
export async function readGasPrice(rpc: EvmRpc): Promise<GasPrice> {
  const [block, priorityFee] = await Promise.all([
    rpc.call("eth_getBlockByNumber", ["latest", false], feeBlockSchema),
    rpc.call("eth_maxPriorityFeePerGas", [], quantitySchema),
  ]);
  if (block.baseFeePerGas == null) throw new Error("the network has no base fee (EIP-1559)");
  return { baseFee: block.baseFeePerGas, priorityFee };
}

/** The maximum fee of a transaction: it stays minable while the base fee doubles, which takes six full blocks. */
export const feeCap = ({ baseFee, priorityFee }: GasPrice): bigint => 2n * baseFee + priorityFee;

/** The fee that a customer pays for `gas`: the current price plus a quarter of the base fee, because the payout is sent later. */
export const expectedCost = (gas: bigint, { baseFee, priorityFee }: GasPrice): bigint =>
  gas * (baseFee + baseFee / 4n + priorityFee);

type Transfer = { from: Hex; to: Hex; contract: Hex | null; amount: bigint };

/** Asks the node what gas a transfer takes and adds a fifth; throws when the transfer would fail. */
export async function estimateTransferGas(rpc: EvmRpc, { from, to, contract, amount }: Transfer): Promise<bigint> {
  const request =
    contract === null
      ? { from, to, value: numberToHex(amount) }
      : { from, to: contract, data: encodeTransfer(to, amount) };
  const gas = await rpc.call("eth_estimateGas", [request], quantitySchema);
  return gas === NATIVE_GAS ? gas : gas + gas / 5n;
}
