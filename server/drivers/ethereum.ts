import type { Config } from "../config/config.ts";
import { CatalogueError } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import type { Log } from "../base/log.ts";
import { DEVNET_CHAIN_ID, isDevnet, joinEvmDevnet, startEvmDevnet, type EvmDevnet } from "../devnet/evm/devnet.ts";
import { DevnetError } from "../devnet/evm/anvil.ts";
import { createEvmNetwork, createEvmWallet } from "../chains/evm/network.ts";
import { depositXpub, hotAccount } from "../chains/evm/keys.ts";
import { loadOrCreateSandboxKeys, type EvmKeys } from "../devnet/evm/keys.ts";
import type { NetworkReader } from "../chains/port.ts";
import type { NetworkStatus } from "../chains/network-status.ts";
import type { SandboxNetwork } from "../sandbox/port.ts";
import type { DriverParts, OpenNetwork } from "./driver.ts";
import { awaitDevnet, findDevnet, publishDevnet } from "./shared-devnet.ts";
import { watchingPause } from "./watching-pause.ts";

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
export async function openEthereum(config: Config, log: Log, database: Database): Promise<Ethereum | null> {
  const { evmRpcUrl: rpcUrl, evmChainId: chainId, sandbox } = config;
  if (rpcUrl !== null) {
    const keys = configuredKeys(config);
    if (sandbox && chainId === DEVNET_CHAIN_ID) return { ...over(await joinEvmDevnet(rpcUrl)), ...keys };
    return { rpcUrl, chainId, contracts: new Map(), ...keys, devnet: null };
  }
  if (!sandbox) return null;
  return config.roles.worker ? openDevnet(config, log, database) : watchDevnet(config, log, database);
}

/** The devnet belongs to the worker that starts it: its keys are in that worker's DATA_DIR. */
async function openDevnet(config: Config, log: Log, database: Database): Promise<Ethereum> {
  const { dataDir } = config;
  const other = await findDevnet(database);
  if (other !== null && other.dataDir !== dataDir && (await isDevnet(other.rpcUrl)))
    throw new DevnetError(
      `the Ethereum node of this database, ${other.rpcUrl}, belongs to the worker on ${other.dataDir}: ` +
        `further workers need EVM_RPC_URL=${other.rpcUrl}, EVM_CHAIN_ID=${DEVNET_CHAIN_ID} and all of them the same EVM_MNEMONIC`,
    );
  const keys = await sandboxKeys(config);
  const { hotAddress } = keys;
  const devnet = await startEvmDevnet({ dataDir, port: config.devnetEvmPort, log, hotAddress });
  await publishDevnet(database, { rpcUrl: devnet.rpcUrl, xpub: keys.xpub, dataDir });
  return { ...over(devnet), ...keys };
}

/** A web holds no keys and starts no node (engine law 14): it looks at the one of its worker. */
async function watchDevnet(config: Config, log: Log, database: Database): Promise<Ethereum> {
  const { rpcUrl, xpub } = await awaitDevnet(database, log);
  const devnet = await joinEvmDevnet(rpcUrl);
  return { ...over(devnet), xpub: config.evmXpub ?? xpub, hotAddress: null, mnemonic: null };
}

const over = (devnet: EvmDevnet): Pick<Ethereum, "rpcUrl" | "chainId" | "contracts" | "devnet"> => ({
  rpcUrl: devnet.rpcUrl,
  chainId: devnet.chainId,
  contracts: new Map(Object.entries(devnet.contracts)),
  devnet,
});

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
  const network = createEvmNetwork({ ...options, xpub, hotAddress });
  const reader = devnet === null ? network : watchingPause(network, devnet, status.setPaused);
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
