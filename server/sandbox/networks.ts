import { divideUp, powerOfTen } from "#contract/money.ts";
import { CatalogueError, PRICE_DECIMALS, type Catalogue, type CatalogueInstrument } from "../catalogue/index.ts";
import type { OpenNetwork } from "../chains/open-networks.ts";
import type { NetworkReader, NetworkWallet } from "../chains/port.ts";
import { openSimulatedChain } from "../chains/simulated/network.ts";
import { PROFILES } from "../chains/simulated/profiles.ts";
import type { Database } from "../db/database.ts";
import { bitcoinDevnet, type BitcoinDevnet } from "../devnet/bitcoin/controls.ts";
import type { EvmDevnet } from "../devnet/evm/devnet.ts";
import { BLOCK_SECONDS } from "../devnet/evm/node.ts";
import { moneroDevnet } from "../devnet/monero/controls.ts";
import type { MarketFeed } from "../rates/market/port.ts";
import type { SandboxNetwork } from "./port.ts";

/** Twice the 1,000,000 USD of each asset that the sandbox's treasury promises (contract §7): it pays out before deposits are swept. */
const INITIAL_BALANCE_USD = 2_000_000n;

/** Networks that the sandbox simulates where no node serves them. */
export const SIMULATED_NETWORKS: ReadonlySet<string> = new Set(PROFILES.keys());

/** A network with its controls; null for TRON, which has no devnet. */
export type ControlledNetwork = OpenNetwork & { sandbox: SandboxNetwork | null };

type OnPaused = (networkTitle: string, isPaused: boolean) => void;

export type SandboxNetworksParts = {
  database: Database;
  catalogue: Catalogue;
  isWorker: boolean;
  /** Prices the initial balances of simulated networks. */
  market: Pick<MarketFeed, "read">;
  /** Called when a network's blocks were paused or resumed, by whichever process: a pause is no outage. */
  onPaused: OnPaused;
};

export type Devnets = {
  evm: EvmDevnet | null;
  /** By network title. */
  bitcoin: ReadonlyMap<string, { rpcUrl: string }>;
  monero: { daemonUrl: string; sandboxWalletUrl: string | null } | null;
};

/** Adds the controls of the local nodes to the networks, and simulates the networks that no node serves. */
export async function openSandboxNetworks(
  opened: readonly OpenNetwork[],
  devnets: Devnets,
  parts: SandboxNetworksParts,
): Promise<ControlledNetwork[]> {
  const served = new Set(opened.map(({ reader }) => reader.networkTitle));
  const networks = opened.map((network) => withDevnet(network, devnets, parts.onPaused));
  return [...networks, ...(await openSimulatedNetworks(served, parts))];
}

function withDevnet(network: OpenNetwork, devnets: Devnets, onPaused: OnPaused): ControlledNetwork {
  const { reader, wallet } = network;
  const { networkTitle } = reader;
  const { evm, monero } = devnets;
  if (networkTitle === "ETH" && evm !== null) {
    const controls: Controls = {
      pay: async ({ address, slug, amount }) => ({ txId: await evm.pay({ to: address, slug, amount }) }),
      mine: async (blocks) => void (await evm.mine(blocks)),
      reorg: async (depth) => void (await evm.reorg(depth)),
      setPaused: async (paused) => void (await evm.setPaused(paused)),
      isPaused: evm.isPaused,
      height: async () => (await reader.head()).height,
      blockSeconds: BLOCK_SECONDS,
    };
    return withControls(network, controls, onPaused);
  }
  if (networkTitle === "XMR" && monero?.sandboxWalletUrl) {
    const devnet = moneroDevnet({ daemonUrl: monero.daemonUrl, walletUrl: monero.sandboxWalletUrl });
    return withControls(network, payingById(devnet), onPaused);
  }
  const node = devnets.bitcoin.get(networkTitle);
  if (node === undefined) return { ...network, sandbox: null };
  const devnet = bitcoinDevnet({ networkTitle, rpcUrl: node.rpcUrl });
  const begun = { reader, wallet: wallet === null ? null : beginningChain(wallet, devnet) };
  return withControls(begun, payingById(devnet), onPaused);
}

type Controls = Omit<SandboxNetwork, "networkTitle"> & { isPaused(): Promise<boolean> };

const payingById = (
  devnet: Omit<Controls, "pay"> & { pay(payment: { address: string; amount: bigint }): Promise<string> },
): Controls => ({ ...devnet, pay: async ({ address, amount }) => ({ txId: await devnet.pay({ address, amount }) }) });

function withControls({ reader, wallet }: OpenNetwork, controls: Controls, onPaused: OnPaused) {
  const sandbox = sandboxOf(reader.networkTitle, controls, onPaused);
  return { reader: reportingPauses(reader, controls, onPaused), wallet, sandbox };
}

function sandboxOf(networkTitle: string, controls: Controls, onPaused: OnPaused): SandboxNetwork {
  return {
    networkTitle,
    ...(controls.blockSeconds !== undefined && { blockSeconds: controls.blockSeconds }),
    pay: controls.pay,
    mine: controls.mine,
    reorg: controls.reorg,
    ...(controls.setFees && { setFees: controls.setFees }),
    height: controls.height,
    setPaused: async (paused) => {
      await controls.setPaused(paused);
      onPaused(networkTitle, paused);
    },
  };
}

/** Another process may have paused the blocks: each read of the head finds out. */
function reportingPauses(reader: NetworkReader, controls: Pick<Controls, "isPaused">, onPaused: OnPaused) {
  let reported = false;
  const head = async () => {
    const isPaused = await controls.isPaused();
    if (isPaused !== reported) onPaused(reader.networkTitle, isPaused);
    reported = isPaused;
    return reader.head();
  };
  return { ...reader, head };
}

/** Mines a new chain's first blocks before the first balance is read; a node that fails is tried again at the next read. */
function beginningChain(wallet: NetworkWallet, devnet: BitcoinDevnet): NetworkWallet {
  let isBegun = false;
  return {
    ...wallet,
    hotBalance: async (slug) => {
      if (!isBegun) await devnet.initialise(wallet.hotAddress());
      isBegun = true;
      return wallet.hotBalance(slug);
    },
  };
}

/**
 * Simulates every network of the catalogue that has an active instrument and no node.
 *
 * @internal Exported for its tests.
 */
export async function openSimulatedNetworks(
  served: ReadonlySet<string>,
  { database, catalogue, isWorker, market, onPaused }: SandboxNetworksParts,
) {
  const prices = await market.read();
  const networks = [];
  for (const [networkTitle, instruments] of simulatedInstruments(catalogue, served)) {
    const initialBalances = new Map(
      instruments.map((one) => [one.slug, initialBalance(one, prices.get(one.slug)?.usd)]),
    );
    const chain = await openSimulatedChain({
      database,
      networkTitle,
      instruments,
      initialBalances,
      onPaused: (isPaused) => onPaused(networkTitle, isPaused),
    });
    const blockMs = PROFILES.get(networkTitle)?.blockMs;
    const pace = blockMs === undefined ? {} : { blockSeconds: blockMs / 1_000 };
    const sandbox = sandboxOf(networkTitle, { ...chain.controls, ...pace }, onPaused);
    networks.push({ reader: chain.reader(), wallet: isWorker ? chain.wallet() : null, sandbox });
  }
  return networks;
}

function simulatedInstruments(
  { instruments }: Catalogue,
  served: ReadonlySet<string>,
): Map<string, CatalogueInstrument[]> {
  const simulated = new Map<string, CatalogueInstrument[]>();
  for (const instrument of instruments.values()) {
    const { networkTitle, isActive, instrumentType } = instrument;
    if (!isActive || instrumentType === "fiat" || served.has(networkTitle) || !PROFILES.has(networkTitle)) continue;
    simulated.set(networkTitle, [...(simulated.get(networkTitle) ?? []), instrument]);
  }
  for (const [networkTitle, found] of simulated) {
    const coin = PROFILES.get(networkTitle)?.coin;
    if (!found.some(({ slug }) => slug === coin))
      throw new CatalogueError([`${networkTitle} can't be simulated unless its own coin, ${coin}, is active`]);
  }
  return simulated;
}

function initialBalance({ slug, decimals }: CatalogueInstrument, priceUsd: bigint | undefined): bigint {
  if (priceUsd === undefined || priceUsd <= 0n) throw new Error(`the sandbox's market has no price of ${slug}`);
  return divideUp(INITIAL_BALANCE_USD * powerOfTen(PRICE_DECIMALS + decimals), priceUsd);
}
