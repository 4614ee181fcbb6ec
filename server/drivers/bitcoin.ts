import { CatalogueError } from "../catalogue/index.ts";
import { ConfigError } from "../base/startup-error.ts";
import type { BitcoinNode } from "../config/config.ts";
import { chainOf } from "../chains/bitcoin/chain-params.ts";
import { depositXpub, hotKey } from "../chains/bitcoin/keys.ts";
import { createBitcoinNetwork, createBitcoinWallet } from "../chains/bitcoin/network.ts";
import { bitcoinDevnet, type BitcoinDevnet } from "../devnet/bitcoin/controls.ts";
import type { NetworkWallet } from "../chains/port.ts";
import type { NetworkStatus } from "../chains/network-status.ts";
import type { SandboxNetwork } from "../sandbox/port.ts";
import type { DriverParts, OpenNetwork } from "./driver.ts";
import { watchingPause } from "./watching-pause.ts";

const NODE_TIMEOUT_MS = 15_000;

/** Every coin of Bitcoin's family that a node is configured for: in the sandbox a regtest node. */
export function openBitcoinFamily(parts: DriverParts): OpenNetwork[] {
  return [...parts.config.bitcoin].map(([networkTitle, node]) => openOne(parts, networkTitle, node));
}

function openOne(parts: DriverParts, networkTitle: string, node: BitcoinNode): OpenNetwork {
  const { config, catalogue, status } = parts;
  const kind = config.sandbox ? "regtest" : "main";
  const chain = chainOf(networkTitle, kind);
  if (catalogue.instruments.get(chain.coin)?.isActive !== true)
    throw new CatalogueError([`${chain.coin} is not active, and ${networkTitle}_RPC_URL is set`]);
  const { rpcUrl, mnemonic } = node;
  const xpub = mnemonic === null ? node.xpub : depositXpub(chain, mnemonic);
  if (xpub === null)
    throw new ConfigError(
      `${networkTitle}_RPC_URL needs ${networkTitle}_XPUB, or ${networkTitle}_MNEMONIC with the worker role`,
    );
  const options = { networkTitle, kind, rpcUrl, timeoutMs: NODE_TIMEOUT_MS } as const;
  const hotAddress = mnemonic === null ? null : hotKey(chain, mnemonic).address;
  const reader = createBitcoinNetwork({ ...options, xpub, hotAddress });
  const wallet = mnemonic === null ? null : createBitcoinWallet({ ...options, mnemonic });
  if (!config.sandbox) return { reader, wallet, sandbox: null };
  const devnet = bitcoinDevnet({ networkTitle, rpcUrl });
  return {
    reader: watchingPause(reader, devnet, status.setPaused),
    wallet: wallet === null ? null : beginningFirst(wallet, devnet),
    sandbox: sandboxOf(networkTitle, devnet, status),
  };
}

/** Begins the chain before the first look at what the wallet holds: a node that is dead by then is asked again at the next look. */
function beginningFirst(wallet: NetworkWallet, devnet: BitcoinDevnet): NetworkWallet {
  let isBegun = false;
  return {
    ...wallet,
    hotBalance: async (slug) => {
      if (!isBegun) await devnet.begin(wallet.hotAddress());
      isBegun = true;
      return wallet.hotBalance(slug);
    },
  };
}

function sandboxOf(networkTitle: string, devnet: BitcoinDevnet, status: NetworkStatus): SandboxNetwork {
  return {
    networkTitle,
    pay: async ({ address, amount }) => ({ txId: await devnet.pay({ address, amount }) }),
    mine: (blocks) => devnet.mine(blocks),
    setPaused: async (paused) => {
      await devnet.setPaused(paused);
      status.setPaused(networkTitle, paused);
    },
    reorg: (depth) => devnet.reorg(depth),
    height: () => devnet.height(),
  };
}
