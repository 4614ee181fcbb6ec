import * as z from "zod";
import type { Chain } from "./chain-params.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";

/** One of the node's wallets; without a name its single one. */
export type WalletOption = { wallet?: string };

export type NodeWallet = {
  /** Calls the wallet, which is opened on first use and again after a restart of the node has closed it. */
  call<Answer>(method: string, params: unknown[], answer: z.ZodType<Answer>, timeoutMs?: number): Promise<Answer>;
};

/** Just below fetch's own time limit. */
export const SLOW_CALL_MS = 290_000;
const NO_SUCH_WALLET = -18;

const anything = z.unknown();
const folderSchema = z.object({ wallets: z.array(z.object({ name: z.string() })) });

/** A wallet of the node that `start` creates or opens, and fills. */
export function createNodeWallet(rpc: BitcoinRpc, option: WalletOption, start: () => Promise<void>): NodeWallet {
  let started: Promise<void> | null = null;

  const open = (): Promise<void> => {
    started ??= start().catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };

  return {
    call: async (method, params, answer, timeoutMs) => {
      const options = timeoutMs === undefined ? option : { ...option, timeoutMs };
      await open();
      try {
        return await rpc.call(method, params, answer, options);
      } catch (error) {
        if (!(error instanceof BitcoinRpcError && error.code === NO_SUCH_WALLET)) throw error;
        started = null;
        await open();
        return rpc.call(method, params, answer, options);
      }
    },
  };
}

/** Opens the wallet of a name, or creates it: without keys, to watch addresses. */
export async function openWatchWallet(rpc: BitcoinRpc, chain: Chain, name: string): Promise<void> {
  if ((await rpc.call("listwallets", [], z.array(z.string()))).includes(name)) return;
  const { wallets } = await rpc.call("listwalletdir", [], folderSchema);
  if (wallets.some((wallet) => wallet.name === name)) {
    await rpc.call("loadwallet", [name], anything, { timeoutMs: SLOW_CALL_MS });
    return;
  }
  const [withoutKeys, blank, passphrase, avoidReuse] = [true, true, "", false];
  const descriptors = chain.watching === "descriptors";
  await rpc.call("createwallet", [name, withoutKeys, blank, passphrase, avoidReuse, descriptors], anything);
}

/** A scan reads blocks alone: a wallet learns what waits in the mempool when it is loaded. */
export async function reloadWallet(rpc: BitcoinRpc, name: string): Promise<void> {
  await rpc.call("unloadwallet", [name], anything, { timeoutMs: SLOW_CALL_MS });
  await rpc.call("loadwallet", [name], anything, { timeoutMs: SLOW_CALL_MS });
}
