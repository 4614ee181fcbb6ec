import type { Config } from "../config.ts";
import { CatalogueError } from "../catalogue/index.ts";
import type { Log } from "../log.ts";
import { startEvmDevnet, type EvmDevnet } from "../networks/evm-devnet/devnet.ts";
import { createEvmNetwork, createEvmWallet } from "../networks/evm/network.ts";
import { depositXpub, hotAccount, loadOrCreateSandboxKeys, type EvmKeys } from "../networks/evm/keys.ts";
import type { NetworkReader } from "../networks/port.ts";
import type { NetworkStatus } from "../networks/status.ts";
import type { SandboxNetwork } from "../sandbox/port.ts";
import type { DriverParts, OpenNetwork } from "./driver.ts";

const NETWORK = "ETH";
const NODE_TIMEOUT_MS = 5_000;

/** Where Ethereum is read and paid from: the local devnet of the sandbox, or the operator's node. */
export type Ethereum = {
  rpcUrl: string;
  chainId: number;
  /** Token contracts of this deployment by slug; empty where the catalogue's own are meant. */
  contracts: ReadonlyMap<string, string>;
  xpub: string;
  hotAddress: string | null;
  /** Null without the worker role, and where no mnemonic was given. */
  mnemonic: string | null;
  devnet: EvmDevnet | null;
};

/** Finds or starts the node and its keys; null where none is configured, and then the network's pairs are not offered. */
export async function openEthereum(config: Config, log: Log): Promise<Ethereum | null> {
  if (config.evmRpcUrl === null) return config.sandbox ? openDevnet(config, log) : null;
  const keys = configuredKeys(config);
  return { rpcUrl: config.evmRpcUrl, chainId: config.evmChainId, contracts: new Map(), ...keys, devnet: null };
}

async function openDevnet(config: Config, log: Log): Promise<Ethereum> {
  const keys = await sandboxKeys(config);
  const devnet = await startEvmDevnet({
    dataDir: config.dataDir,
    port: config.devnetEvmPort,
    log,
    hotAddress: keys.hotAddress,
  });
  return {
    rpcUrl: devnet.rpcUrl,
    chainId: devnet.chainId,
    contracts: new Map(Object.entries(devnet.contracts)),
    ...keys,
    mnemonic: config.roles.worker ? keys.mnemonic : null,
    devnet,
  };
}

async function sandboxKeys(config: Config): Promise<EvmKeys> {
  const { evmMnemonic: mnemonic } = config;
  if (mnemonic === null) return loadOrCreateSandboxKeys(config.dataDir);
  return { mnemonic, xpub: depositXpub(mnemonic), hotAddress: hotAccount(mnemonic).address };
}

function configuredKeys(config: Config): Pick<Ethereum, "xpub" | "hotAddress" | "mnemonic"> {
  const mnemonic = config.roles.worker ? config.evmMnemonic : null;
  if (mnemonic !== null) return { mnemonic, xpub: depositXpub(mnemonic), hotAddress: hotAccount(mnemonic).address };
  if (config.evmXpub === null) throw new Error("EVM_RPC_URL needs EVM_XPUB, or EVM_MNEMONIC with the worker role");
  return { mnemonic: null, xpub: config.evmXpub, hotAddress: null };
}

/** That node as a network: every role reads, only a worker with keys pays (engine law 14). */
export function ethereumNetwork(ethereum: Ethereum, { catalogue, status }: DriverParts): OpenNetwork {
  const instruments = [...catalogue.instruments.values()]
    .filter((instrument) => instrument.networkTitle === NETWORK && instrument.isActive)
    .map(({ slug, contractAddress, decimals }) => ({ slug, contractAddress, decimals }));
  if (instruments.length === 0) throw new CatalogueError([`no instrument of ${NETWORK} is active`]);
  const options = {
    networkTitle: NETWORK,
    rpcUrl: ethereum.rpcUrl,
    chainId: ethereum.chainId,
    instruments,
    timeoutMs: NODE_TIMEOUT_MS,
  };
  const { xpub, hotAddress, mnemonic, devnet } = ethereum;
  const reader = createEvmNetwork({ ...options, xpub, hotAddress });
  return {
    reader,
    wallet: mnemonic === null ? null : createEvmWallet({ ...options, mnemonic }),
    sandbox: devnet === null ? null : sandboxOf(devnet, reader, status),
  };
}

function sandboxOf(devnet: EvmDevnet, reader: NetworkReader, status: NetworkStatus): SandboxNetwork {
  return {
    networkTitle: NETWORK,
    pay: async ({ address, slug, amount }) => ({ txId: await devnet.pay({ to: address, slug, amount }) }),
    mine: async (blocks) => void (await devnet.mine(blocks)),
    setPaused: async (paused) => {
      await devnet.setPaused(paused);
      status.setPaused(NETWORK, paused);
    },
    reorg: async (depth) => void (await devnet.reorg(depth)),
    height: async () => (await reader.head()).height,
  };
}
