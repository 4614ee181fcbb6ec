import type { Log } from "./base/logging/log.ts";
import type { Catalogue } from "./catalogue/index.ts";
import { checkedWallet, checkNetworkIdentities } from "./chains/network-identity.ts";
import { monitorReader, type NetworkStatus } from "./chains/network-status.ts";
import { openNetworks } from "./chains/open-networks.ts";
import type { NetworkReader, NetworkWallet } from "./chains/port.ts";
import { refuseWrongChains } from "./chains/wrong-chains.ts";
import type { Config } from "./config/config.ts";
import type { Database } from "./db/database.ts";
import type { openEthereum } from "./devnet/evm/open.ts";
import { createSandboxMarket } from "./rates/market/sandbox.ts";
import { refuseLiveChains } from "./sandbox/live-chains.ts";
import { openSandboxNetworks, type ControlledNetwork } from "./sandbox/networks.ts";
import type { SandboxNetwork } from "./sandbox/port.ts";

type NetworkParts = {
  config: Config;
  log: Log;
  database: Database;
  catalogue: Catalogue;
  ethereum: Awaited<ReturnType<typeof openEthereum>>;
  status: NetworkStatus;
};

/** The networks of a process, by their titles. */
type Networks = {
  readers: ReadonlyMap<string, NetworkReader>;
  /** Empty without the worker role. */
  wallets: ReadonlyMap<string, NetworkWallet>;
  sandboxNetworks: ReadonlyMap<string, SandboxNetwork>;
  /** Those of a node; the database plays the others. */
  nodes: ReadonlySet<string>;
};

/** Opens all networks: those of nodes, and in the sandbox those that it controls. Throws for a node of a chain that is not to be used. */
export async function openAllNetworks(parts: NetworkParts): Promise<Networks> {
  const { config, log, database, catalogue, ethereum, status } = parts;
  const readers = new Map<string, NetworkReader>();
  const wallets = new Map<string, NetworkWallet>();
  const sandboxNetworks = new Map<string, SandboxNetwork>();
  const { bitcoin, monero, tron } = config;
  const nodeParts = { evm: ethereum, bitcoin, monero, tron, isRegtest: config.sandbox };
  const nodeReaders: NetworkReader[] = [];
  const opened = openNetworks(nodeParts, catalogue, log, (reader) => nodeReaders.push(reader));
  await (config.sandbox ? refuseLiveChains(nodeReaders) : refuseWrongChains(nodeReaders));
  const networks: ControlledNetwork[] = config.sandbox
    ? await openSandboxNetworks(
        opened,
        { evm: ethereum?.devnet ?? null, bitcoin, monero },
        {
          database,
          catalogue,
          isWorker: config.roles.worker,
          market: createSandboxMarket(),
          onPaused: status.setPaused,
        },
      )
    : opened.map((network) => ({ ...network, sandbox: null }));
  for (const { reader, wallet, sandbox } of networks) {
    readers.set(reader.networkTitle, monitorReader(checkedWallet(database, reader), status));
    if (wallet !== null) wallets.set(wallet.networkTitle, wallet);
    if (sandbox !== null) sandboxNetworks.set(sandbox.networkTitle, sandbox);
  }
  await checkNetworkIdentities(database, readers.values());
  return { readers, wallets, sandboxNetworks, nodes: new Set(opened.map(({ reader }) => reader.networkTitle)) };
}
