import * as z from "zod";
import { CodedError } from "#contract/errors.ts";
import { createMoneroRpc, MoneroRpcError } from "../../chains/monero/rpc.ts";
import { hashSchema, headerAnswerSchema } from "../../chains/monero/schemas.ts";

export type MoneroDevnetOptions = {
  /** monerod in regtest. */
  daemonUrl: string;
  /** monero-wallet-rpc over the wallet that mines and pays as the customer. */
  walletUrl: string;
};

export type MoneroDevnet = {
  /** Pays minor units from the customer's wallet with a real transaction; resolves to its id. */
  pay(payment: { address: string; amount: bigint }): Promise<string>;
  mine(blocks: number): Promise<void>;
  /** Replaces the newest blocks; their transactions are mined again in the first of the new ones. */
  reorg(depth: number): Promise<void>;
  /** Pauses mining on a timer, in every process. */
  setPaused(paused: boolean): Promise<void>;
  isPaused(): Promise<boolean>;
  height(): Promise<number>;
};

/** A block takes monerod a tenth of a second to make, and seconds where others have the processor. */
const CALL_TIMEOUT_MS = 60_000;
const MINED_AT_ONCE = 5;

const PAUSED = "paused";
const NO_ATTRIBUTE = -45;

const nothing = z.unknown();
const status = z.object({ status: z.literal("OK") });

/** Controls a regtest chain (contract §7). */
export function moneroDevnet({ daemonUrl, walletUrl }: MoneroDevnetOptions): MoneroDevnet {
  const daemon = createMoneroRpc(daemonUrl, CALL_TIMEOUT_MS);
  const wallet = createMoneroRpc(walletUrl, CALL_TIMEOUT_MS);

  const height = async () => (await daemon.call("get_last_block_header", {}, headerAnswerSchema)).block_header.height;
  const mine = async (blocks: number) => {
    const { address } = await wallet.call("get_address", { account_index: 0 }, z.object({ address: z.string() }));
    for (let left = blocks; left > 0; left -= MINED_AT_ONCE) {
      const amount_of_blocks = Math.min(left, MINED_AT_ONCE);
      await daemon.call("generateblocks", { amount_of_blocks, wallet_address: address, starting_nonce: 0 }, status);
    }
  };

  return {
    height,
    mine,
    pay: async ({ address, amount }) => {
      await wallet.call("refresh", {}, nothing);
      const payment = { destinations: [{ address, amount }], account_index: 0 };
      try {
        return (await wallet.call("transfer", payment, z.object({ tx_hash: hashSchema }))).tx_hash;
      } catch (error) {
        if (!(error instanceof MoneroRpcError)) throw error;
        throw new CodedError("ERR_UNPROCESSABLE_ENTITY", `The customer's wallet can't pay: ${error.message}`, {
          cause: error,
        });
      }
    },
    reorg: async (depth) => {
      if (depth >= (await height()))
        throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The chain does not have that many blocks");
      await daemon.post("/pop_blocks", { nblocks: depth }, status);
      await mine(depth);
    },
    setPaused: async (paused) =>
      void (await wallet.call("set_attribute", { key: PAUSED, value: `${paused}` }, nothing)),
    isPaused: async () => {
      try {
        const answer = z.object({ value: z.string() });
        return (await wallet.call("get_attribute", { key: PAUSED }, answer)).value === "true";
      } catch (error) {
        if (error instanceof MoneroRpcError && error.code === NO_ATTRIBUTE) return false;
        throw error;
      }
    },
  };
}
