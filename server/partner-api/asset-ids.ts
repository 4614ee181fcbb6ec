import type { CatalogueInstrument } from "../catalogue/index.ts";

/** CAIP-2, and the number of the coin in SLIP-44, of each network's main chain; a node says for itself which chain it serves. */
const CHAINS: Readonly<Record<string, { chainId: string; coin: number }>> = {
  ADA: { chainId: "cip34:1-764824073", coin: 1815 },
  BCH: { chainId: "bip122:000000000000000000651ef99cb9fcbe", coin: 145 },
  BTC: { chainId: "bip122:000000000019d6689c085ae165831e93", coin: 0 },
  DOGE: { chainId: "bip122:1a91e3dace36e2be3bf030a65679fe82", coin: 3 },
  ETH: { chainId: "eip155:1", coin: 60 },
  IOTX: { chainId: "eip155:4689", coin: 304 },
  LTC: { chainId: "bip122:12a765e31ffd4059bada1e25190f6e98", coin: 2 },
  SOL: { chainId: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", coin: 501 },
  TON: { chainId: "tvm:-239", coin: 607 },
  TRX: { chainId: "tron:0x2b6653dc", coin: 195 },
  XLM: { chainId: "stellar:pubnet", coin: 148 },
  XMR: { chainId: "monero:418015bb9ae982a1975da7d79277c270", coin: 128 },
  XRP: { chainId: "xrpl:0", coin: 144 },
};

type AssetIds = { chainId: string | null; assetId: string | null };
type Identified = Pick<CatalogueInstrument, "networkTitle" | "contractAddress" | "networkStandard">;

/** The CAIP-2 id of an instrument's chain and its own CAIP-19 id; null where there is none. `served` is the chain of the node. */
export function assetIdsOf({ networkTitle, contractAddress, networkStandard }: Identified, served?: string): AssetIds {
  const chain = CHAINS[networkTitle];
  const chainId = served ?? chain?.chainId ?? null;
  if (chainId === null) return { chainId, assetId: null };
  if (contractAddress === null)
    return { chainId, assetId: chain === undefined ? null : `${chainId}/slip44:${chain.coin}` };
  return {
    chainId,
    assetId: networkStandard === null ? null : `${chainId}/${networkStandard.toLowerCase()}:${contractAddress}`,
  };
}
