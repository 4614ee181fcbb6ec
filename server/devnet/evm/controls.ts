import { numberToHex } from "viem";
import * as z from "zod";
import { CodedError } from "#contract/errors.ts";
import { createEvmRpc } from "../../chains/evm/rpc.ts";
import { heightSchema } from "../../chains/evm/schemas.ts";
import { BLOCK_SECONDS } from "./node.ts";

/** Each resolves to the new height of the chain. */
export type ChainControls = {
  mine(blocks: number): Promise<number>;
  /** Stops blocks only: calls and transactions go on. A start of the server ends the pause. */
  setPaused(paused: boolean): Promise<number>;
  /** Whether somebody, perhaps another process, has stopped the blocks. */
  isPaused(): Promise<boolean>;
  /** Replaces the newest blocks by empty ones; their transactions are dropped. */
  reorg(depth: number): Promise<number>;
};

/** The most that `reorg` may undo (contract §7). */
export const MAX_REORG_DEPTH = 64;
const MINING_TIMEOUT_MS = 60_000;

export function createEvmControls(rpcUrl: string): ChainControls {
  // None of these is repeated by itself: a second try would mine or undo twice.
  const rpc = createEvmRpc(rpcUrl, MINING_TIMEOUT_MS);
  const once = (method: string, params: unknown[]) => rpc.call(method, params, z.null(), { retryCount: 0 });
  const height = () => rpc.call("eth_blockNumber", [], heightSchema);

  const mine = async (blocks: number) => {
    await once("anvil_mine", [numberToHex(blocks)]);
    return height();
  };
  const setPaused = async (paused: boolean) => {
    await once("evm_setIntervalMining", [paused ? 0 : BLOCK_SECONDS]);
    return height();
  };
  const isPaused = async () => (await rpc.call("anvil_getIntervalMining", [], z.number().nullable())) === null;
  const reorg = async (depth: number) => {
    try {
      await once("anvil_reorg", [depth, []]);
    } catch (error) {
      if (!(error instanceof Error && /data unavailable|deeper|exceeds|too deep/i.test(error.message))) throw error;
      const message = "the node can only undo blocks that it has made since it was started";
      throw new CodedError("ERR_UNPROCESSABLE_ENTITY", message, { cause: error });
    }
    return height();
  };
  return { mine, setPaused, isPaused, reorg };
}
