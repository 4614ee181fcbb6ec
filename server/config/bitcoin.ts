import { address, addresses, extendedPublicKey, mnemonicPhrase, type Values } from "./values.ts";

const url = () => addresses(["http:", "https:"]).optional();
const zmq = () => address(["tcp:"]).optional();
const xpub = () => extendedPublicKey().optional();
const mnemonic = () => mnemonicPhrase().optional();

export const bitcoinVariables = {
  BTC_RPC_URL: url(),
  BTC_ZMQ_URL: zmq(),
  BTC_XPUB: xpub(),
  BTC_MNEMONIC: mnemonic(),
  LTC_RPC_URL: url(),
  LTC_ZMQ_URL: zmq(),
  LTC_XPUB: xpub(),
  LTC_MNEMONIC: mnemonic(),
  DOGE_RPC_URL: url(),
  DOGE_ZMQ_URL: zmq(),
  DOGE_XPUB: xpub(),
  DOGE_MNEMONIC: mnemonic(),
};

const TITLES = ["BTC", "LTC", "DOGE"] as const;

export const bitcoinSecrets = TITLES.map((title) => `${title}_MNEMONIC` as const);

/** The node and the keys of one coin of Bitcoin's family. */
type BitcoinNode = Readonly<{
  /** With the node's user and password. */
  rpcUrl: string;
  /** Further nodes of the same chain. */
  otherRpcUrls: readonly string[];
  /** Where it announces transactions and blocks; null: it is only polled. */
  zmqUrl: string | null;
  xpub: string | null;
  /** Signs; null where ROLES=web, because only a worker may hold keys. */
  mnemonic: string | null;
}>;

/** By network title, those that have a node. In the sandbox they are regtest nodes, and a network without one is simulated. */
export type BitcoinConfig = ReadonlyMap<string, BitcoinNode>;

export function bitcoinConfig(value: Values<typeof bitcoinVariables>): BitcoinConfig {
  const nodes = new Map<string, BitcoinNode>();
  for (const title of TITLES) {
    const urls = value[`${title}_RPC_URL`];
    if (urls === undefined) continue;
    const [rpcUrl, ...otherRpcUrls] = urls;
    const keys = { xpub: value[`${title}_XPUB`] ?? null, mnemonic: value[`${title}_MNEMONIC`] ?? null };
    const zmqUrl = value[`${title}_ZMQ_URL`] ?? null;
    nodes.set(title, Object.freeze({ rpcUrl, otherRpcUrls, zmqUrl, ...keys }));
  }
  return nodes;
}
