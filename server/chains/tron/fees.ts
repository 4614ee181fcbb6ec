import { maxOf } from "#contract/money.ts";
import { CallRefusedError, transferEnergy } from "./contract-calls.ts";
import type { TronRpc } from "./rpc.ts";
import { parametersSchema } from "./schemas.ts";

/** What the network charges now, in sun. */
type TronPrices = { perByte: bigint; perEnergy: bigint; newAccount: bigint };

/** A signed transfer with some room: bandwidth is paid by the byte. */
const NATIVE_BYTES = 300n;
const TOKEN_BYTES = 400n;
/** The energy of a USDT transfer to an address that holds none, where it can't be simulated. */
const USUAL_TOKEN_ENERGY = 131_000n;

/** Reads the prices that the network's producers have voted for. */
export async function readPrices(http: TronRpc): Promise<TronPrices> {
  const parameters = await http.call("wallet/getchainparameters", {}, parametersSchema);
  const required = (key: string): bigint => {
    const value = parameters.get(key);
    if (value === undefined || value <= 0n) throw new Error(`the network names no ${key}`);
    return value;
  };
  return {
    perByte: required("getTransactionFee"),
    perEnergy: required("getEnergyFee"),
    newAccount: required("getCreateNewAccountFeeInSystemContract") + required("getCreateAccountFee"),
  };
}

/** The maximum cost of a transfer of the coin: all its bandwidth is burnt, and its receiver has no account yet. */
export const nativeCost = ({ perByte, newAccount }: TronPrices): bigint => NATIVE_BYTES * perByte + newAccount;

/** What a call costs beside its energy. */
export const bandwidthCost = ({ perByte }: TronPrices): bigint => TOKEN_BYTES * perByte;

/** Half as much again: a contract that many call gets dearer from one maintenance period to the next. */
export const energyCap = (energy: bigint, { perEnergy }: TronPrices): bigint => ((energy * 3n) / 2n) * perEnergy;

/** The energy of a token's transfer for an estimate: simulated where a sender is known, else the usual. */
export async function expectedEnergy(
  http: TronRpc,
  transfer: { from: string; to: string; contract: string } | null,
): Promise<bigint> {
  if (transfer === null) return USUAL_TOKEN_ENERGY;
  try {
    const tried = await transferEnergy(http, { ...transfer, amount: 1n });
    return maxOf(tried, USUAL_TOKEN_ENERGY);
  } catch (error) {
    // An empty hot wallet, or a node that simulates no calls, must not leave the pair without a price.
    if (error instanceof CallRefusedError) return USUAL_TOKEN_ENERGY;
    throw error;
  }
}
