import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { Log } from "../../base/logging/log.ts";
import { ConfigError } from "../../base/processes/startup-error.ts";
import type { EvmNode } from "../../chains/evm/network.ts";
import type { Database } from "../../db/database.ts";
import { readSetting, storeSetting } from "../../db/settings.ts";
import { DevnetError } from "./anvil.ts";
import { DEVNET_CHAIN_ID, isDevnet, joinEvmDevnet, startEvmDevnet, type EvmDevnet } from "./devnet.ts";
import { evmKeysOf, loadOrCreateSandboxKeys, type EvmKeys } from "./keys.ts";

const KEY = "devnet_evm";
const STARTS_WITHIN_MS = 30_000;
const POLL_EVERY_MS = 250;

/** The Ethereum node to use: the local devnet of the sandbox, or the operator's node. */
export type Ethereum = EvmNode & {
  /** Further nodes of the same chain. */
  otherRpcUrls?: readonly string[];
  /** Token contracts on the devnet by slug; empty where the catalogue's own apply. */
  contracts: ReadonlyMap<string, string>;
  devnet: EvmDevnet | null;
};

export type EthereumOptions = {
  evm: {
    rpcUrl: string | null;
    otherRpcUrls: readonly string[];
    chainId: number;
    xpub: string | null;
    mnemonic: string | null;
    devnetPort: number;
  };
  dataDir: string;
  sandbox: boolean;
  roles: { worker: boolean };
};

/** Finds or starts the node and its keys; null where none is configured: the network's pairs are not offered then. */
export async function openEthereum(options: EthereumOptions, log: Log, database: Database): Promise<Ethereum | null> {
  const { sandbox } = options;
  const { rpcUrl, otherRpcUrls, chainId } = options.evm;
  if (rpcUrl !== null) {
    const keys = configuredKeys(options);
    if (sandbox && chainId === DEVNET_CHAIN_ID)
      return { ...nodeOf(await joinEvmDevnet(rpcUrl)), otherRpcUrls, ...keys };
    return { rpcUrl, otherRpcUrls, chainId, contracts: new Map(), ...keys, devnet: null };
  }
  if (!sandbox) return null;
  return options.roles.worker ? openDevnet(options, log, database) : joinSharedDevnet(options, log, database);
}

/** The devnet belongs to the worker that starts it: its keys are in that worker's DATA_DIR. */
async function openDevnet(options: EthereumOptions, log: Log, database: Database): Promise<Ethereum> {
  const { dataDir } = options;
  const other = await findDevnet(database);
  if (other !== null && other.dataDir !== dataDir && (await isDevnet(other.rpcUrl)))
    throw new DevnetError(
      `the Ethereum node of this database, ${other.rpcUrl}, belongs to the worker on ${other.dataDir}: ` +
        `further workers need EVM_RPC_URL=${other.rpcUrl}, EVM_CHAIN_ID=${DEVNET_CHAIN_ID} and all of them the same EVM_MNEMONIC`,
    );
  const keys = await sandboxKeys(options);
  const { hotAddress } = keys;
  const devnet = await startEvmDevnet({ dataDir, port: options.evm.devnetPort, log, hotAddress });
  await shareDevnet(database, { rpcUrl: devnet.rpcUrl, xpub: keys.xpub, dataDir });
  return { ...nodeOf(devnet), ...keys };
}

/** A process without the worker role holds no keys and starts no node (engine law 14): it reads the node of its worker. */
async function joinSharedDevnet(options: EthereumOptions, log: Log, database: Database): Promise<Ethereum> {
  const { rpcUrl, xpub } = await awaitDevnet(database, log);
  const devnet = await joinEvmDevnet(rpcUrl);
  return { ...nodeOf(devnet), xpub: options.evm.xpub ?? xpub, hotAddress: null, mnemonic: null };
}

const nodeOf = (devnet: EvmDevnet): Pick<Ethereum, "rpcUrl" | "chainId" | "contracts" | "devnet"> => ({
  rpcUrl: devnet.rpcUrl,
  chainId: devnet.chainId,
  contracts: new Map(Object.entries(devnet.contracts)),
  devnet,
});

async function sandboxKeys(options: EthereumOptions): Promise<EvmKeys> {
  const { mnemonic } = options.evm;
  return mnemonic === null ? loadOrCreateSandboxKeys(options.dataDir) : evmKeysOf(mnemonic);
}

function configuredKeys(options: EthereumOptions): Pick<Ethereum, "xpub" | "hotAddress" | "mnemonic"> {
  const mnemonic = options.roles.worker ? options.evm.mnemonic : null;
  if (mnemonic !== null) return evmKeysOf(mnemonic);
  if (options.evm.xpub === null)
    throw new ConfigError("EVM_RPC_URL needs EVM_XPUB, or EVM_MNEMONIC with the worker role");
  return { mnemonic: null, xpub: options.evm.xpub, hotAddress: null };
}

/** What other processes on the database need to read the devnet without keys. */
const sharedSchema = z.object({ rpcUrl: z.string(), xpub: z.string(), dataDir: z.string() });
type SharedDevnet = z.infer<typeof sharedSchema>;

const shareDevnet = ({ kysely }: Database, shared: SharedDevnet): Promise<void> => storeSetting(kysely, KEY, shared);

async function findDevnet(database: Database): Promise<SharedDevnet | null> {
  const value = await readSetting(database.kysely, KEY);
  return value === undefined ? null : sharedSchema.parse(value);
}

/** Waits for a worker to start the devnet; throws `DevnetError` when none does. */
async function awaitDevnet(database: Database, log: Log): Promise<SharedDevnet> {
  const until = performance.now() + STARTS_WITHIN_MS;
  for (let isFirst = true; performance.now() < until; isFirst = false) {
    const shared = await findDevnet(database);
    if (shared !== null && (await isDevnet(shared.rpcUrl))) return shared;
    if (isFirst) log.info("waiting for a worker to start the devnet");
    await wait(POLL_EVERY_MS);
  }
  throw new DevnetError(
    "no worker has started the local Ethereum node of this database: start one with ROLES=worker, or set EVM_RPC_URL and EVM_XPUB",
  );
}
