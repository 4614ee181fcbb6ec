import * as z from "zod";
import { divideUp, maxOf } from "#contract/money.ts";
import { FeesOverCapError } from "../port.ts";
import type { Chain } from "./chain-params.ts";
import type { BitcoinRpc } from "./rpc.ts";
import { amountSchema } from "./schemas.ts";

/** A node without an estimate leaves it out, or says -1. */
const estimateSchema = z.object({ feerate: z.union([amountSchema, z.unknown().transform(() => null)]).optional() });
const mempoolSchema = z.object({ mempoolminfee: amountSchema });
const networkSchema = z.object({ incrementalfee: amountSchema.optional() });

/** What a virtual byte costs now, in minor units. Throws `FeesOverCapError` above the cap. */
export async function readFeeRate(rpc: BitcoinRpc, chain: Chain): Promise<bigint> {
  const rate = await readMarketRate(rpc, chain);
  if (rate > chain.fees.cap)
    throw new FeesOverCapError(
      `${chain.networkTitle}: a byte costs ${rate} now, more than the cap of ${chain.fees.cap}`,
    );
  return rate;
}

/** The same whatever the cap: the node's estimate, or the fallback, and never less than it would relay. */
export async function readMarketRate(rpc: BitcoinRpc, { fees }: Chain): Promise<bigint> {
  const [{ feerate }, { mempoolminfee }] = await Promise.all([
    rpc.call("estimatesmartfee", [fees.targetBlocks], estimateSchema),
    rpc.call("getmempoolinfo", [], mempoolSchema),
  ]);
  const estimated = feerate ? perByte(feerate) : fees.fallback;
  return maxOf(estimated, perByte(mempoolminfee), fees.floor);
}

/** What a node wants for each byte of a replacement, beyond all that it evicts (BIP-125, rule 4). */
export async function readIncrementalRate(rpc: BitcoinRpc, { fees }: Chain): Promise<bigint> {
  const { incrementalfee } = await rpc.call("getnetworkinfo", [], networkSchema);
  const rate = incrementalfee === undefined ? fees.floor : perByte(incrementalfee);
  return maxOf(rate, fees.floor);
}

const perByte = (perThousand: bigint): bigint => divideUp(perThousand, 1_000n);

const INPUT_WEIGHT = { segwit: 272n, legacy: 592n };
const OVERHEAD_WEIGHT = { segwit: 42n, legacy: 40n };
/** Value and length, in front of an output's script. */
const OUTPUT_OVERHEAD = 9n;

/** The maximum size of a transaction with these inputs of ours and these output scripts, in virtual bytes. */
export function sizeOf({ hasSegwit }: Chain, inputs: number, outputScripts: readonly number[]): bigint {
  const form = hasSegwit ? "segwit" : "legacy";
  const outputs = outputScripts.reduce((sum, length) => sum + OUTPUT_OVERHEAD + BigInt(length), 0n);
  return divideUp(OVERHEAD_WEIGHT[form] + BigInt(inputs) * INPUT_WEIGHT[form] + 4n * outputs, 4n);
}

/** Change that is smaller goes to the miner: it would cost as much to spend as it is worth. */
export function minChangeOf(chain: Chain, feeRate: bigint): bigint {
  const costOfInput = feeRate * (sizeOf(chain, 2, []) - sizeOf(chain, 1, []));
  return maxOf(chain.dust, costOfInput);
}

/** What a transaction may cost at most: its size at the cap, and change that isn't worth an output. */
export const maxFeeOf = (chain: Chain, inputs: number, outputScripts: readonly number[]): bigint =>
  chain.fees.cap * sizeOf(chain, inputs, outputScripts) + minChangeOf(chain, chain.fees.cap);
