import { CatalogueError, type CatalogueInstrument } from "../../catalogue/index.ts";
import type { NetworkReader, NetworkWallet } from "../port.ts";
import { createDaemon } from "./daemon.ts";
import { createHotWallet } from "./hot-wallet.ts";
import { createMoneroReader, type MoneroCoin } from "./reader.ts";
import { createMoneroRpc } from "./rpc.ts";
import { createViewWallet } from "./view-wallet.ts";
import { createMoneroWalletFrom } from "./wallet.ts";

/** @internal Exported for its tests. */
export type MoneroNetworkOptions = MoneroCoin & {
  /** monerod. */
  daemonUrl: string;
  /** The networks that the node may serve, as it calls them: `mainnet`, or `fakechain` in regtest. */
  nettypes: readonly string[];
  /** The limit of each call. */
  timeoutMs: number;
};

/**
 * Monero to read: `viewWalletUrl` is monero-wallet-rpc over a view-only wallet. It holds no key that spends, and connects on first use.
 *
 * @internal Exported for its tests.
 */
export function createMoneroNetwork(options: MoneroNetworkOptions & { viewWalletUrl: string }): NetworkReader {
  const { daemonUrl, viewWalletUrl, nettypes, timeoutMs } = options;
  const daemon = createDaemon(createMoneroRpc(daemonUrl, timeoutMs), nettypes);
  return createMoneroReader(daemon, createViewWallet(createMoneroRpc(viewWalletUrl, timeoutMs)), options);
}

/**
 * The wallet that pays in Monero, over monero-wallet-rpc with the spend key (engine law 14: worker role only). It connects on first
 * use, and knows its address after the first balance.
 *
 * @internal Exported for its tests.
 */
export function createMoneroWallet(
  options: MoneroNetworkOptions & { walletUrl: string; feePerByte?: bigint | null },
): NetworkWallet {
  const { daemonUrl, walletUrl, nettypes, timeoutMs, networkTitle, slug, feePerByte = null } = options;
  const hot = createHotWallet(createMoneroRpc(walletUrl, timeoutMs));
  const daemon = createDaemon(createMoneroRpc(daemonUrl, timeoutMs), nettypes);
  return createMoneroWalletFrom(daemon, hot, { networkTitle, slug, feePerByte });
}

const NETWORK = "XMR";
const SLUG = "xmr";
/** A wallet that has fallen behind answers no call until it has caught up. */
const CALL_TIMEOUT_MS = 20_000;

/** `walletUrl` is null without the worker role. */
export type MoneroNode = { daemonUrl: string; viewWalletUrl: string; walletUrl: string | null };

/** Monero over the operator's monerod and wallets. */
export function openMonero(
  { daemonUrl, viewWalletUrl, walletUrl }: MoneroNode,
  nettype: "mainnet" | "fakechain",
  instruments: ReadonlyMap<string, CatalogueInstrument>,
): { reader: NetworkReader; wallet: NetworkWallet | null } {
  const instrument = instruments.get(SLUG);
  if (instrument?.isActive !== true)
    throw new CatalogueError([`${SLUG} is not active, and XMR_DAEMON_URL is set: set its isActive in CATALOGUE_FILE`]);
  const options = {
    networkTitle: NETWORK,
    slug: SLUG,
    decimals: instrument.decimals,
    daemonUrl,
    nettypes: [nettype],
    timeoutMs: CALL_TIMEOUT_MS,
  };
  return {
    reader: createMoneroNetwork({ ...options, viewWalletUrl }),
    wallet:
      walletUrl === null ? null : createMoneroWallet({ ...options, walletUrl, feePerByte: instrument.caps.feePerByte }),
  };
}
