import { formatAmount } from "#contract/money.ts";
import { buildPaymentUri } from "#contract/links/payment-uri.ts";
import { parseAddressOf } from "../addresses/index.ts";
import { UNPAYABLE } from "../addresses/parser.ts";
import type { NetworkReader } from "../port.ts";
import { readBlock, readPool } from "./blocks.ts";
import type { Daemon } from "./daemon.ts";
import { expectedFee } from "./fees.ts";
import type { ViewWallet } from "./view-wallet.ts";

export type MoneroCoin = { networkTitle: string; slug: string; decimals: number };

/** The keyless side of Monero (`port.ts`), over a node and a view-only wallet. Reads throw when either fails. */
export function createMoneroReader(
  daemon: Daemon,
  wallet: ViewWallet,
  coin: MoneroCoin & { nettypes: readonly string[] },
): NetworkReader {
  const { networkTitle, slug, decimals, nettypes } = coin;
  const requireCoin = (asked: string): void => {
    if (asked !== slug) throw new Error(`${asked} is not an instrument of ${networkTitle}`);
  };
  let ours: string | null = null;

  return {
    networkTitle,
    feeSlug: slug,
    walletChain: `monero:${nettypes.join()}`,
    parseAddress: (text) => {
      const parsed = parseAddressOf(networkTitle, text);
      return parsed.valid && parsed.canonical === ours ? UNPAYABLE : parsed;
    },
    depositAddress: async (index) => ({ address: await wallet.depositAddress(index), memo: null }),
    depositUri: (address, memo, asked, amount) => {
      requireCoin(asked);
      return buildPaymentUri({
        networkTitle,
        address,
        memo,
        amount: formatAmount(amount, decimals),
        contractAddress: null,
      });
    },
    head: async () => {
      // A node without its wallet shows blocks and no deposits: both must answer, or the network is down.
      const [head] = await Promise.all([daemon.head(), wallet.height()]);
      ours ??= await wallet.primaryAddress();
      return head;
    },
    blockAt: (height) => readBlock(daemon, wallet, slug, height),
    blockRefAt: (height) => daemon.blockRefAt(height),
    mempool: () => readPool(daemon, wallet, slug),
    estimateFee: async (asked) => {
      requireCoin(asked);
      return expectedFee(await daemon.feeRate());
    },
  };
}
