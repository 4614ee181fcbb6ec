import { NETWORK as BITCOIN } from "@scure/btc-signer";
import {
  BITCOIN_REGTEST,
  DOGE_PUBLIC_KEY_HASH,
  DOGE_REGTEST,
  DOGE_SCRIPT_HASH,
  LITECOIN,
  LITECOIN_REGTEST,
} from "../addresses/bitcoin.ts";

export type ChainKind = "main" | "regtest";

/** The parameters of a chain of the Bitcoin family; amounts are in its smallest unit. */
export type Chain = {
  networkTitle: string;
  /** The slug of its coin. */
  coin: string;
  kind: ChainKind;
  /** The hash of its first block: a node of another chain is refused. */
  genesis: string;
  prefixes: { bech32: string; pubKeyHash: number; scriptHash: number; wif: number };
  hasSegwit: boolean;
  /** By SLIP-44, for the path of its keys. */
  coinType: number;
  /** The smallest output that nodes relay. */
  dust: bigint;
  fees: FeePolicy;
  /**
   * How its node watches an address: in a wallet of descriptors (Bitcoin Core since 0.21, and all that it has since 30), in one of
   * addresses (Litecoin Core, whose Debian build has no other), or in the single wallet of the node (Dogecoin Core).
   */
  watching: "descriptors" | "addresses" | "single wallet";
};

/** Fee rates in the smallest unit per virtual byte. */
type FeePolicy = {
  /** Blocks within which a payment should be mined. */
  targetBlocks: number;
  floor: bigint;
  /** Where the node has no estimate. */
  fallback: bigint;
  /** A higher rate is an error, and nothing is paid. */
  cap: bigint;
};

type Coin = Omit<Chain, "kind" | "genesis" | "prefixes">;
type Networks = Record<ChainKind, Pick<Chain, "genesis" | "prefixes">>;

const NO_SEGWIT = { bech32: "", wif: 0 };

const FAMILY: readonly (Coin & { networks: Networks })[] = [
  {
    networkTitle: "BTC",
    coin: "btc",
    hasSegwit: true,
    coinType: 0,
    dust: 546n,
    fees: { targetBlocks: 3, floor: 1n, fallback: 20n, cap: 1_000n },
    watching: "descriptors",
    networks: {
      main: { genesis: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f", prefixes: BITCOIN },
      regtest: {
        genesis: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
        prefixes: BITCOIN_REGTEST,
      },
    },
  },
  {
    networkTitle: "LTC",
    coin: "ltc",
    hasSegwit: true,
    coinType: 2,
    // Its nodes use ten times Bitcoin's dust rate.
    dust: 5_460n,
    fees: { targetBlocks: 6, floor: 1n, fallback: 10n, cap: 2_000n },
    watching: "addresses",
    networks: {
      main: { genesis: "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2", prefixes: LITECOIN },
      regtest: {
        genesis: "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9",
        prefixes: LITECOIN_REGTEST,
      },
    },
  },
  {
    networkTitle: "DOGE",
    coin: "doge",
    hasSegwit: false,
    coinType: 3,
    // Below it every output costs its own fee on top.
    dust: 1_000_000n,
    // The rate that Dogecoin Core recommends; its estimates are of little use.
    fees: { targetBlocks: 10, floor: 1_000n, fallback: 1_000n, cap: 50_000n },
    watching: "single wallet",
    networks: {
      main: {
        genesis: "1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691",
        prefixes: { ...NO_SEGWIT, pubKeyHash: DOGE_PUBLIC_KEY_HASH, scriptHash: DOGE_SCRIPT_HASH },
      },
      regtest: {
        genesis: "3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5",
        prefixes: { ...NO_SEGWIT, ...DOGE_REGTEST },
      },
    },
  },
];

export function chainOf(networkTitle: string, kind: ChainKind): Chain {
  const found = FAMILY.find((one) => one.networkTitle === networkTitle);
  if (found === undefined) throw new Error(`${networkTitle} is not a chain of the Bitcoin family`);
  const { networks, ...coin } = found;
  return { ...coin, kind, ...networks[kind] };
}
