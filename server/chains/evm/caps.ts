import { minOf } from "#contract/money.ts";
import type { PaymentCaps } from "../../catalogue/index.ts";
import { FeesOverCapError, PaymentRefusedError } from "../port.ts";
import { feeCap, type GasPrice } from "./fees.ts";

/** The most gas that a transaction may have on Ethereum, whatever its block could hold (EIP-7825). */
const MAX_TRANSACTION_GAS = 16_777_216n;

export type EvmCaps = Pick<PaymentCaps, "nativeGas" | "tokenGas" | "maxFeePerGas" | "maxPriorityFeePerGas">;

/** The gas limit that a payment may have at most. */
export function gasCap(caps: EvmCaps, contract: string | null): bigint {
  const cap = contract === null ? caps.nativeGas : caps.tokenGas;
  return minOf(cap, MAX_TRANSACTION_GAS);
}

/** The fees of a payment at this price, within the caps; throws while not even the next block could be paid within them. */
export function boundedFees(price: GasPrice, caps: EvmCaps): { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } {
  const maxPriorityFeePerGas = minOf(price.priorityFee, caps.maxPriorityFeePerGas);
  const needed = price.baseFee + maxPriorityFeePerGas;
  if (needed > caps.maxFeePerGas)
    throw new FeesOverCapError(`gas costs ${needed} wei now, more than the cap of ${caps.maxFeePerGas} wei`);
  const wanted = feeCap({ baseFee: price.baseFee, priorityFee: maxPriorityFeePerGas });
  return { maxFeePerGas: minOf(wanted, caps.maxFeePerGas), maxPriorityFeePerGas };
}

/** The same fees with a maximum of `limit` at most, as long as the next block could still take them at this price. */
export function loweredTo(
  limit: bigint | null,
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
  { baseFee }: Pick<GasPrice, "baseFee">,
): { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } {
  if (limit === null || limit >= fees.maxFeePerGas || limit < baseFee + fees.maxPriorityFeePerGas) return fees;
  return { ...fees, maxFeePerGas: limit };
}

/** The last check before a signature: whatever chose these numbers, and whenever it did. */
export function requireWithinCaps(
  fees: { gas: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
  caps: EvmCaps,
  contract: string | null,
): void {
  const cap = gasCap(caps, contract);
  if (fees.gas > cap) throw new PaymentRefusedError("gas_over_cap", `${fees.gas} gas are more than the cap of ${cap}`);
  if (fees.maxFeePerGas > caps.maxFeePerGas || fees.maxPriorityFeePerGas > caps.maxPriorityFeePerGas)
    throw new PaymentRefusedError("fee_over_cap", `${fees.maxFeePerGas} wei for a unit of gas are more than the cap`);
}
