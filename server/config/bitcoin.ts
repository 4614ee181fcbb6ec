import { address, extendedPublicKey, mnemonicPhrase } from "./values.ts";

/** The node and the keys of one coin of Bitcoin's family. */
export type BitcoinNode = Readonly<{
  /** With the node's user and password. */
  rpcUrl: string;
  xpub: string | null;
  /** Signs; null where ROLES=web, because only a worker may hold keys. */
  mnemonic: string | null;
}>;

const url = () => address(["http:", "https:"]).optional();
const xpub = () => extendedPublicKey().optional();
const mnemonic = () => mnemonicPhrase().optional();

export const bitcoinVariables = {
  BTC_RPC_URL: url(),
  BTC_XPUB: xpub(),
  BTC_MNEMONIC: mnemonic(),
  LTC_RPC_URL: url(),
  LTC_XPUB: xpub(),
  LTC_MNEMONIC: mnemonic(),
  DOGE_RPC_URL: url(),
  DOGE_XPUB: xpub(),
  DOGE_MNEMONIC: mnemonic(),
};

const TITLES = ["BTC", "LTC", "DOGE"] as const;
type Values = { [Name in keyof typeof bitcoinVariables]?: string | undefined };

/** By network title, those that have a node. */
export function bitcoinNodes(values: Values): ReadonlyMap<string, BitcoinNode> {
  const nodes = new Map<string, BitcoinNode>();
  for (const title of TITLES) {
    const rpcUrl = values[`${title}_RPC_URL`];
    if (rpcUrl === undefined) continue;
    const keys = { xpub: values[`${title}_XPUB`] ?? null, mnemonic: values[`${title}_MNEMONIC`] ?? null };
    nodes.set(title, Object.freeze({ rpcUrl, ...keys }));
  }
  return nodes;
}

export const BITCOIN_KEYS = TITLES.map((title) => `${title}_MNEMONIC` as const);
