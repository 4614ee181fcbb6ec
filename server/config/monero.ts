import { address } from "./values.ts";

/** The node of Monero and its wallets, each behind a `monero-wallet-rpc` of its own. */
export type MoneroNode = Readonly<{
  daemonUrl: string;
  /** A wallet that sees deposits and can't spend. */
  viewWalletUrl: string;
  /** The wallet that pays; null where ROLES=web, because only a worker may hold keys. */
  walletUrl: string | null;
  /** The wallet that mines and plays the customer in regtest; null outside the sandbox. */
  sandboxWalletUrl: string | null;
}>;

const url = () => address(["http:", "https:"]).optional();

export const moneroVariables = {
  XMR_DAEMON_URL: url(),
  XMR_VIEW_WALLET_URL: url(),
  XMR_WALLET_URL: url(),
  XMR_SANDBOX_WALLET_URL: url(),
};

type Values = { [Name in keyof typeof moneroVariables]?: string | undefined };

/** Null where no node is configured; a text says which variable is missing beside it. */
export function moneroNode(values: Values, sandbox: boolean): MoneroNode | null | string {
  const { XMR_DAEMON_URL: daemonUrl, XMR_VIEW_WALLET_URL: viewWalletUrl } = values;
  if (daemonUrl === undefined) return null;
  if (viewWalletUrl === undefined) return "XMR_DAEMON_URL needs XMR_VIEW_WALLET_URL";
  return Object.freeze({
    daemonUrl,
    viewWalletUrl,
    walletUrl: values.XMR_WALLET_URL ?? null,
    sandboxWalletUrl: sandbox ? (values.XMR_SANDBOX_WALLET_URL ?? null) : null,
  });
}

export const MONERO_KEY = "XMR_WALLET_URL";
