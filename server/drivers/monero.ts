import { CatalogueError } from "../catalogue/index.ts";
import { createMoneroNetwork, createMoneroWallet } from "../chains/monero/network.ts";
import { moneroDevnet, type MoneroDevnet } from "../devnet/monero/controls.ts";
import type { NetworkStatus } from "../chains/network-status.ts";
import type { SandboxNetwork } from "../sandbox/port.ts";
import type { DriverParts, OpenNetwork } from "./driver.ts";
import { watchingPause } from "./watching-pause.ts";

const NETWORK = "XMR";
const SLUG = "xmr";
/** A wallet that has fallen behind answers nothing else until it has caught up. */
const CALL_LIMIT_MS = 20_000;

/** Monero over the operator's monerod and wallets; null where none is configured. */
export function openMonero({ config, catalogue, status }: DriverParts): OpenNetwork | null {
  if (config.monero === null) return null;
  const { daemonUrl, viewWalletUrl, walletUrl, sandboxWalletUrl } = config.monero;
  const instrument = catalogue.instruments.get(SLUG);
  if (instrument?.isActive !== true) throw new CatalogueError([`${SLUG} is not active, and XMR_DAEMON_URL is set`]);
  const options = {
    networkTitle: NETWORK,
    slug: SLUG,
    decimals: instrument.decimals,
    daemonUrl,
    nettypes: config.sandbox ? ["fakechain"] : ["mainnet"],
    timeoutMs: CALL_LIMIT_MS,
  };
  const reader = createMoneroNetwork({ ...options, viewWalletUrl });
  const wallet = walletUrl === null ? null : createMoneroWallet({ ...options, walletUrl });
  if (sandboxWalletUrl === null) return { reader, wallet, sandbox: null };
  const devnet = moneroDevnet({ daemonUrl, walletUrl: sandboxWalletUrl });
  return { reader: watchingPause(reader, devnet, status.setPaused), wallet, sandbox: sandboxOf(devnet, status) };
}

function sandboxOf(devnet: MoneroDevnet, status: NetworkStatus): SandboxNetwork {
  return {
    networkTitle: NETWORK,
    pay: async ({ address, amount }) => ({ txId: await devnet.pay({ address, amount }) }),
    mine: (blocks) => devnet.mine(blocks),
    setPaused: async (paused) => {
      await devnet.setPaused(paused);
      status.setPaused(NETWORK, paused);
    },
    reorg: (depth) => devnet.reorg(depth),
    height: () => devnet.height(),
  };
}
