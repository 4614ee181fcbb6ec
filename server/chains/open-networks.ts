import type { CatalogueInstrument } from "../catalogue/index.ts";
import { openBitcoin, type BitcoinNode } from "./bitcoin/network.ts";
import { openEvm, type EvmNode } from "./evm/network.ts";
import { openMonero, type MoneroNode } from "./monero/network.ts";
import type { NetworkReader, NetworkWallet } from "./port.ts";
import { openTron, type TronNode } from "./tron/network.ts";

/** `wallet` is null without the worker role, and where no keys were configured (engine law 14). */
export type OpenNetwork = { reader: NetworkReader; wallet: NetworkWallet | null };

/** The configured nodes; null, or absent from the map, where a network has none. */
export type Nodes = {
  evm: EvmNode | null;
  /** By network title. */
  bitcoin: ReadonlyMap<string, BitcoinNode>;
  monero: MoneroNode | null;
  tron: TronNode | null;
  /** Whether the nodes run local test chains. */
  isRegtest: boolean;
};

/** Opens every network that has a node, by one driver each. */
export function openNetworks(
  { evm, bitcoin, monero, tron, isRegtest }: Nodes,
  instruments: ReadonlyMap<string, CatalogueInstrument>,
): OpenNetwork[] {
  return [
    ...(evm === null ? [] : [openEvm(evm, instruments)]),
    ...(monero === null ? [] : [openMonero(monero, isRegtest ? "fakechain" : "mainnet", instruments)]),
    ...[...bitcoin].map(([title, node]) => openBitcoin(title, node, isRegtest ? "regtest" : "main", instruments)),
    ...(tron === null ? [] : [openTron(tron, instruments)]),
  ];
}
