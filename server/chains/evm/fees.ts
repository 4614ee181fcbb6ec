import { numberToHex, type Hex } from "viem";
import { minOf } from "#contract/money.ts";
import { NotEnoughFundsError, PaymentRefusedError } from "../port.ts";
import { decodeBalanceOf, encodeBalanceOf, encodeTransfer } from "./erc20.ts";
import { reasonOf, type EvmRpc } from "./rpc.ts";
import { bytesSchema, feeBlockSchema, quantitySchema } from "./schemas.ts";

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

type Transfer = {
  from: Hex;
  to: Hex;
  contract: Hex | null;
  amount: bigint;
  /** Those that will be signed: a contract may take another way, and more gas, by the gas price. Absent where the payer lacks the coins. */
  fees?: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
};

/** The gas that a payment may use: the estimate and a fifth, at most `cap`. Throws why the payment must not be made. */
export async function gasWithin(rpc: EvmRpc, transfer: Transfer, cap: bigint): Promise<bigint> {
  try {
    const gas = await estimateTransferGas(rpc, transfer, cap);
    return minOf(gas, cap);
  } catch (error) {
    const refusal = refusalOf(error, cap);
    if (refusal instanceof PaymentRefusedError && (await holdsTooLittle(rpc, transfer)))
      throw new NotEnoughFundsError(`${transfer.from} holds less than ${transfer.amount}: ${reasonOf(error)}`);
    throw refusal ?? error;
  }
}

/** Tokens have words of their own for an empty payer, and nodes estimate with what is on its way: neither is the destination's fault. */
async function holdsTooLittle(rpc: EvmRpc, { from, contract, amount }: Transfer): Promise<boolean> {
  if (contract === null) return false;
  const data = await rpc.call("eth_call", [{ to: contract, data: encodeBalanceOf(from) }, "pending"], bytesSchema);
  return decodeBalanceOf(data as Hex) < amount;
}

const TOO_LITTLE = /insufficient (funds|balance)|out ?of ?funds/i;
const OVER_CAP = /gas required exceeds|exceeds allowance|out of ?gas/i;
const PAYABLE_GAS = /exceeds allowance\D*(?<gas>\d+)/i;
const REVERTS = /revert|invalid opcode|invalid jump|bad instruction|stack (under|over)flow|vm execution/i;

/** What a node's refusal to estimate says of the payment; null for an error of the node itself. */
function refusalOf(error: unknown, cap: bigint): Error | null {
  const reason = reasonOf(error);
  // Nodes try no more gas than the payer can pay for.
  const payable = PAYABLE_GAS.exec(reason)?.groups?.["gas"];
  if (TOO_LITTLE.test(reason) || (payable !== undefined && BigInt(payable) < cap))
    return new NotEnoughFundsError(reason);
  if (OVER_CAP.test(reason)) return new PaymentRefusedError("gas_over_cap", `it takes more than ${cap} gas: ${reason}`);
  return REVERTS.test(reason) ? new PaymentRefusedError("destination_reverts", reason) : null;
}

/** Asks the node what gas a transfer takes, within `cap` if there is one, and adds a fifth; throws when the transfer would fail. */
export async function estimateTransferGas(
  rpc: EvmRpc,
  { from, to, contract, amount, fees }: Transfer,
  cap?: bigint,
): Promise<bigint> {
  const request =
    contract === null
      ? { from, to, value: numberToHex(amount) }
      : { from, to: contract, data: encodeTransfer(to, amount) };
  const bounded = {
    ...request,
    ...(cap !== undefined && { gas: numberToHex(cap) }),
    ...(fees !== undefined && {
      maxFeePerGas: numberToHex(fees.maxFeePerGas),
      maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
    }),
  };
  const gas = await rpc.call("eth_estimateGas", [bounded], quantitySchema);
  return gas === NATIVE_GAS ? gas : gas + gas / 5n;
}
