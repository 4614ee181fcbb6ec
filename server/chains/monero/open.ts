import { CatalogueError, type CatalogueInstrument } from "../../catalogue/index.ts";
import type { NetworkReader, NetworkWallet } from "../port.ts";
import { createMoneroNetwork, createMoneroWallet } from "./network.ts";

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
  if (instrument?.isActive !== true) throw new CatalogueError([`${SLUG} is not active, and XMR_DAEMON_URL is set`]);
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
    wallet: walletUrl === null ? null : createMoneroWallet({ ...options, walletUrl }),
  };
}
