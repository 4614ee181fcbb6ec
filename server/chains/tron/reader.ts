import { formatAmount } from "#contract/money.ts";
import { buildPaymentUri } from "#contract/links/payment-uri.ts";
import { UNPAYABLE } from "../addresses/parser.ts";
import { parseTrxAddress } from "../addresses/trx.ts";
import type { DepositAddress, NetworkReader } from "../port.ts";
import { createBlockReader, checkChainOnce, readSolidHead, readSolidRef } from "./blocks.ts";
import { bandwidthCost, expectedEnergy, nativeCost, readPrices } from "./fees.ts";
import type { TronInstruments } from "./instruments.ts";
import { tronAddressesBelow } from "./keys.ts";
import type { TronRpc } from "./rpc.ts";

type TronReaderOptions = {
  networkTitle: string;
  chainId: number;
  instruments: TronInstruments;
  /** The extended public key of the branch m/44'/195'/0'/0. */
  xpub: string;
  /** The treasury's address: a token's fee is estimated from it, and nobody is paid at it. */
  hotAddress: string | null;
};

/** An address is derived on the spot. */
export type TronReader = Omit<NetworkReader, "depositAddress"> & { depositAddress(index: bigint): DepositAddress };

/**
 * The keyless side of TRON (`port.ts`). It sees solidified blocks alone, so that a block it has given can't be taken back. Value that
 * a contract sends in TRX, and tokens of the older TRC-10 kind, are not seen. Reads throw when the node fails.
 */
export function createTronReader(http: TronRpc, options: TronReaderOptions): TronReader {
  const { networkTitle, chainId, instruments, hotAddress } = options;
  const addressAt = tronAddressesBelow(options.xpub);
  const checkChain = checkChainOnce(http, chainId);
  const readBlock = createBlockReader(http, instruments, hotAddress);
  const refused = new Set([...instruments.contracts, ...(hotAddress === null ? [] : [hotAddress])]);

  const costOf = async (slug: string): Promise<bigint> => {
    const contract = instruments.contractOf(slug);
    const prices = await readPrices(http);
    if (contract === null) return nativeCost(prices);
    // To an address that holds none of it yet, which is the dearest case.
    const transfer = hotAddress === null ? null : { from: hotAddress, to: addressAt(0n), contract };
    return (await expectedEnergy(http, transfer)) * prices.perEnergy + bandwidthCost(prices);
  };

  return {
    networkTitle,
    feeSlug: instruments.native,
    chain: `tron:0x${chainId.toString(16)}`,
    parseAddress: (text) => {
      const parsed = parseTrxAddress(text);
      return parsed.valid && refused.has(parsed.canonical) ? UNPAYABLE : parsed;
    },
    depositAddress: (index) => ({ address: addressAt(index), memo: null }),
    depositUri: (address, memo, slug, amount) =>
      buildPaymentUri({
        networkTitle: "TRX",
        address,
        memo,
        amount: formatAmount(amount, instruments.decimalsOf(slug)),
        contractAddress: instruments.contractOf(slug),
      }),
    head: async () => {
      await checkChain();
      const { height, hash, parentHash, timestamp } = await readSolidHead(http);
      return { height, hash, parentHash, minedAt: timestamp };
    },
    blockAt: async (height) => {
      await checkChain();
      return readBlock(height);
    },
    blockRefAt: async (height) => {
      await checkChain();
      const ref = await readSolidRef(http, height);
      return ref && { height: ref.height, hash: ref.hash, parentHash: ref.parentHash };
    },
    estimateFee: async (slug) => {
      await checkChain();
      return costOf(slug);
    },
  };
}
