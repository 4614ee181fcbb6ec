import { formatAmount } from "#contract/money.ts";
import { buildPaymentUri } from "#contract/links/payment-uri.ts";
import { parseAddressOf } from "../addresses/index.ts";
import { UNPAYABLE } from "../addresses/parser.ts";
import { WrongChainError, type DepositAddress, type NetworkReader } from "../port.ts";
import { createBlockReader, readBlockRef, readHead } from "./blocks.ts";
import type { Chain } from "./chain-params.ts";
import { createDepositWatch } from "./deposit-watch.ts";
import { readFeeRate, sizeOf } from "./fees.ts";
import { addressesBelow } from "./keys.ts";
import type { BitcoinRpc } from "./rpc.ts";
import { DECIMALS, hashSchema } from "./schemas.ts";

export type BitcoinReaderOptions = {
  /** The extended public key of the deposit branch. */
  xpub: string;
  /** The treasury's address: nobody is paid at it. */
  hotAddress: string | null;
};

/** An address is derived on the spot. */
export type BitcoinReader = Omit<NetworkReader, "depositAddress"> & { depositAddress(index: bigint): DepositAddress };

/** What a payout usually looks like: two coins in, the customer and our change out, with the longest scripts. */
const USUAL_INPUTS = 2;
const USUAL_SCRIPTS = [34, 34];

/** The keyless side of a chain of Bitcoin's family (`port.ts`). Reads throw when the node fails or serves another chain. */
export function createBitcoinReader(
  rpc: BitcoinRpc,
  chain: Chain,
  { xpub, hotAddress }: BitcoinReaderOptions,
  checkChain: () => Promise<void>,
): BitcoinReader {
  const { networkTitle, coin } = chain;
  const addressAt = addressesBelow(chain, xpub);
  const readBlock = createBlockReader(rpc, chain, hotAddress);
  const unconfirmed = createDepositWatch(rpc, chain, addressAt);
  const requireCoin = (slug: string): void => {
    if (slug !== coin) throw new Error(`${slug} is not the coin of ${networkTitle}`);
  };

  return {
    networkTitle,
    feeSlug: coin,
    chain: `bip122:${chain.genesis.slice(0, 32)}`,
    parseAddress: (text) => {
      const parsed = parseAddressOf(networkTitle, text, chain.kind);
      return parsed.valid && parsed.canonical === hotAddress ? UNPAYABLE : parsed;
    },
    depositAddress: (index) => ({ address: addressAt(index), memo: null }),
    depositUri: (address, memo, slug, amount) => {
      requireCoin(slug);
      return buildPaymentUri({
        networkTitle,
        address,
        memo,
        amount: formatAmount(amount, DECIMALS),
        contractAddress: null,
      });
    },
    head: async () => {
      await checkChain();
      return readHead(rpc, chain);
    },
    blockAt: async (height) => {
      await checkChain();
      return readBlock(height);
    },
    blockRefAt: async (height) => {
      await checkChain();
      return readBlockRef(rpc, height);
    },
    mempool: async (lastIndex) => {
      await checkChain();
      return unconfirmed(await lastIndex());
    },
    estimateFee: async (slug) => {
      requireCoin(slug);
      await checkChain();
      const rate = await readFeeRate(rpc, chain);
      // A quarter on top, because the payout leaves later.
      return (rate + (rate + 3n) / 4n) * sizeOf(chain, USUAL_INPUTS, USUAL_SCRIPTS);
    },
  };
}

/** Checks once which chain the node serves, by its first block; until the check passes, every call repeats it. */
export function checkChainOnce(rpc: BitcoinRpc, chain: Chain): () => Promise<void> {
  let isChecked = false;
  return async () => {
    if (isChecked) return;
    const genesis = await rpc.call("getblockhash", [0], hashSchema);
    if (genesis !== chain.genesis)
      throw new WrongChainError(`the node is not of ${chain.networkTitle} (${chain.kind})`);
    isChecked = true;
  };
}
