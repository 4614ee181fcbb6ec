import * as z from "zod";
import { headerSchema, unspentSchema, walletTransactionSchema, type WalletTransaction } from "./answers.ts";
import type { Chain } from "./chains.ts";
import type { HotKey } from "./keys.ts";
import { RpcError, type CoreRpc } from "./rpc.ts";
import { startWatching } from "./watch-start.ts";

export type Unspent = z.infer<typeof unspentSchema>;

/** What the node's wallet sees of our hot address. It holds no key: whoever takes the node over can't spend. */
export type Watch = {
  /** Coins at the hot address with at least so many confirmations, spent by nothing in the mempool; coinbases only once they can be spent. */
  unspent(confirmations: number): Promise<Unspent[]>;
  /** A transaction that concerns the hot address; null for any other. */
  transaction(txId: string): Promise<WalletTransaction | null>;
  heightOf(blockHash: string): Promise<number>;
};

const NOT_FOUND = -5;
const NO_SUCH_WALLET = -18;
const ANY_DEPTH = 9_999_999;

/** Watches the hot address through a wallet of the node, which is made and filled on first use. */
export function createWatch(rpc: CoreRpc, chain: Chain, hot: Pick<HotKey, "address" | "script">): Watch {
  const script = Buffer.from(hot.script).toString("hex");
  // A wallet for each address: one that was made for other keys would mix their coins in.
  const options = chain.watching === "only wallet" ? {} : { wallet: `wherry-${hot.address}` };
  let started: Promise<void> | null = null;

  const start = (): Promise<void> => {
    started ??= startWatching(rpc, chain, hot.address, options).catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };

  const ask = async <Answer>(method: string, params: unknown[], answer: z.ZodType<Answer>): Promise<Answer> => {
    await start();
    try {
      return await rpc.call(method, params, answer, options);
    } catch (error) {
      // A node that was started anew has closed its wallets.
      if (!(error instanceof RpcError && error.code === NO_SUCH_WALLET)) throw error;
      started = null;
      await start();
      return rpc.call(method, params, answer, options);
    }
  };

  return {
    unspent: async (confirmations) => {
      const coins = await ask("listunspent", [confirmations, ANY_DEPTH, [hot.address]], z.array(unspentSchema));
      return coins.filter((coin) => coin.scriptPubKey === script);
    },
    transaction: async (txId) => {
      try {
        return await ask("gettransaction", [txId, true], walletTransactionSchema);
      } catch (error) {
        if (error instanceof RpcError && error.code === NOT_FOUND) return null;
        throw error;
      }
    },
    heightOf: async (blockHash) => (await rpc.call("getblockheader", [blockHash], headerSchema)).height,
  };
}
