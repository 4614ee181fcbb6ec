import type { Log } from "../base/logging/log.ts";
import type { Catalogue } from "../catalogue/index.ts";
import { openBitcoin, type BitcoinNode } from "./bitcoin/network.ts";
import { openEvm, type EvmNode } from "./evm/network.ts";
import { openMonero, type MoneroNode } from "./monero/network.ts";
import { joinNodes } from "./nodes/join.ts";
import type { NetworkReader, NetworkWallet } from "./port.ts";
import { openTron, type TronNode } from "./tron/network.ts";

/** `wallet` is null without the worker role, and where no keys were configured (engine law 14). */
export type OpenNetwork = { reader: NetworkReader; wallet: NetworkWallet | null };

/** The configured nodes, of some networks several; null, or absent from the map, where a network has none. */
export type Nodes = {
  evm: (EvmNode & { otherRpcUrls?: readonly string[] }) | null;
  /** By network title. */
  bitcoin: ReadonlyMap<string, BitcoinNode & { otherRpcUrls: readonly string[] }>;
  monero: (MoneroNode & { otherDaemonUrls: readonly string[] }) | null;
  tron: (TronNode & { others: readonly Pick<TronNode, "rpcUrl" | "solidityUrl">[] }) | null;
  /** Whether the nodes run local test chains. */
  isRegtest: boolean;
};

/** Opens every network that has a node, by one driver each, over all of its nodes; `onNode` gets each of them by itself. */
export function openNetworks(
  { evm, bitcoin, monero, tron, isRegtest }: Nodes,
  { instruments, networks }: Pick<Catalogue, "instruments" | "networks">,
  log: Log,
  onNode: (reader: NetworkReader) => void = () => undefined,
): OpenNetwork[] {
  const join = <Node>(
    title: string,
    nodes: readonly [Node, ...Node[]],
    urlOf: (node: Node) => string,
    open: (node: Node) => OpenNetwork,
  ): OpenNetwork => {
    const [first, ...others] = nodes;
    const opened = (node: Node) => {
      const one = { name: new URL(urlOf(node)).host, ...open(node) };
      onNode(one.reader);
      return one;
    };
    const nodesToAgree = networks.get(title)?.nodesToAgree ?? null;
    return joinNodes([opened(first), ...others.map(opened)], { nodesToAgree, log });
  };
  const opened: OpenNetwork[] = [];

  if (evm !== null) {
    const others = (evm.otherRpcUrls ?? []).map((rpcUrl) => ({ ...evm, rpcUrl }));
    opened.push(
      join(
        "ETH",
        [evm, ...others],
        ({ rpcUrl }) => rpcUrl,
        (node) => openEvm(node, instruments),
      ),
    );
  }
  if (monero !== null) {
    const others = monero.otherDaemonUrls.map((daemonUrl) => ({ ...monero, daemonUrl }));
    const open = (node: MoneroNode) => openMonero(node, isRegtest ? "fakechain" : "mainnet", instruments);
    opened.push(join("XMR", [monero, ...others], ({ daemonUrl }) => daemonUrl, open));
  }
  for (const [title, bitcoinNode] of bitcoin) {
    const others = bitcoinNode.otherRpcUrls.map((rpcUrl) => ({ ...bitcoinNode, rpcUrl }));
    const open = (node: BitcoinNode) => openBitcoin(title, node, isRegtest ? "regtest" : "main", instruments);
    opened.push(join(title, [bitcoinNode, ...others], ({ rpcUrl }) => rpcUrl, open));
  }
  if (tron !== null) {
    const others = tron.others.map((urls) => ({ ...tron, ...urls }));
    opened.push(
      join(
        "TRX",
        [tron, ...others],
        ({ rpcUrl }) => rpcUrl,
        (node) => openTron(node, instruments),
      ),
    );
  }
  return opened;
}
