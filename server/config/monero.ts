import { ConfigError } from "../base/processes/startup-error.ts";
import { address, addresses, type Process, type Values } from "./values.ts";

const url = () => address(["http:", "https:"]).optional();

export const moneroVariables = {
  XMR_DAEMON_URL: addresses(["http:", "https:"]).optional(),
  XMR_ZMQ_URL: address(["tcp:"]).optional(),
  XMR_VIEW_WALLET_URL: url(),
  XMR_WALLET_URL: url(),
  XMR_SANDBOX_WALLET_URL: url(),
};

export const moneroSecrets = ["XMR_WALLET_URL"] as const;

/** The node of Monero and its wallets, each behind a `monero-wallet-rpc` of its own. */
export type MoneroConfig = Readonly<{
  daemonUrl: string;
  /** Further nodes of the same chain. */
  otherDaemonUrls: readonly string[];
  /** Where it announces transactions and blocks; null: it is only polled. */
  zmqUrl: string | null;
  /** A wallet that sees deposits and can't spend. */
  viewWalletUrl: string;
  /** The wallet that pays; null where ROLES=web, because only a worker may hold keys. */
  walletUrl: string | null;
  /** The wallet that mines and pays as the customer in regtest; null outside the sandbox. */
  sandboxWalletUrl: string | null;
}>;

/** Null where no node is configured: the sandbox simulates the network then. */
export function moneroConfig(value: Values<typeof moneroVariables>, { sandbox }: Process): MoneroConfig | null {
  const { XMR_DAEMON_URL: urls, XMR_VIEW_WALLET_URL: viewWalletUrl } = value;
  if (urls === undefined) return null;
  if (viewWalletUrl === undefined) throw new ConfigError("XMR_DAEMON_URL needs XMR_VIEW_WALLET_URL");
  const [daemonUrl, ...otherDaemonUrls] = urls;
  return Object.freeze({
    daemonUrl,
    otherDaemonUrls,
    zmqUrl: value.XMR_ZMQ_URL ?? null,
    viewWalletUrl,
    walletUrl: value.XMR_WALLET_URL ?? null,
    sandboxWalletUrl: sandbox ? (value.XMR_SANDBOX_WALLET_URL ?? null) : null,
  });
}
