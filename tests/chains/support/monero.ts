import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { log } from "./evm.ts";
import { startMonero, type MoneroNodes } from "../../../server/devnet/monero/node.ts";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { MONERO_WALLET, MONEROD, requirePrograms } from "../../../scripts/lib/programs.ts";
import { hashSchema, indexSchema, transferSchema } from "../../../server/chains/monero/schemas.ts";
import { createMoneroNetwork, createMoneroWallet } from "../../../server/chains/monero/network.ts";
import { createMoneroRpc } from "../../../server/chains/monero/rpc.ts";
import { moneroDevnet, type MoneroDevnet } from "../../../server/devnet/monero/controls.ts";
import type { NetworkReader, NetworkWallet } from "../../../server/chains/port.ts";

export const XMR = 10n ** 12n;

type Urls = { daemonUrl?: string; viewWalletUrl?: string; walletUrl?: string; nettypes?: string[] };

export type MoneroSetup = {
  /** Removed with the setup. */
  folder: string;
  nodes: MoneroNodes;
  devnet: MoneroDevnet;
  /** The driver; over other URLs where some are given. */
  reader(urls?: Urls): NetworkReader;
  wallet(urls?: Urls): NetworkWallet;
  /** Calls the programs directly, without the driver. */
  hot: MoneroAsk;
  view: MoneroAsk;
  customer: MoneroAsk;
  /** The customer pays several addresses with one transaction; gives its id. */
  payAll(destinations: { address: string; amount: bigint }[], unlockTime?: number): Promise<string>;
  /** A new address of the customer's, and what has reached it. */
  newAddress(): Promise<string>;
  received(address: string): Promise<{ txId: string; amount: bigint }[]>;
  end(): Promise<void>;
};

export type MoneroAsk = <Answer = unknown>(
  method: string,
  params: object,
  answer?: z.ZodType<Answer>,
) => Promise<Answer>;

const LIMIT_MS = 60_000;

/** monerod in regtest and its wallets in a temporary folder; only the test mines. Prints the versions. */
export async function startMoneroSetup(): Promise<MoneroSetup> {
  const [daemonProgram = "", walletProgram = ""] = requirePrograms([MONEROD, MONERO_WALLET]);
  const folder = await mkdtemp(join(tmpdir(), "wherry-monero-"));
  const [daemon = 0, p2p = 0, announcements = 0, zmq = 0, hot = 0, view = 0, customer = 0] = await Promise.all(
    Array.from({ length: 7 }, () => freePort()),
  );
  const nodes = await startMonero({
    programs: { daemon: daemonProgram, wallet: walletProgram },
    folder,
    ports: { daemon, p2p, announcements, zmq, hot, view, customer },
    outputs: { hot: 20, customer: 45 },
    blockMs: null,
    log,
  });
  for (const version of nodes.versions) console.log(version);
  const { env } = nodes;
  const askCustomer = askOf(env.XMR_SANDBOX_WALLET_URL);
  const options = ({ daemonUrl = env.XMR_DAEMON_URL, nettypes = ["fakechain"] }: Urls) => ({
    networkTitle: "XMR",
    slug: "xmr",
    decimals: 12,
    timeoutMs: LIMIT_MS,
    daemonUrl,
    nettypes,
  });
  return {
    folder,
    nodes,
    devnet: moneroDevnet({ daemonUrl: env.XMR_DAEMON_URL, walletUrl: env.XMR_SANDBOX_WALLET_URL }),
    reader: (urls = {}) =>
      createMoneroNetwork({ ...options(urls), viewWalletUrl: urls.viewWalletUrl ?? env.XMR_VIEW_WALLET_URL }),
    wallet: (urls = {}) => createMoneroWallet({ ...options(urls), walletUrl: urls.walletUrl ?? env.XMR_WALLET_URL }),
    hot: askOf(env.XMR_WALLET_URL),
    view: askOf(env.XMR_VIEW_WALLET_URL),
    customer: askCustomer,
    payAll: async (destinations, unlock_time = 0) => {
      await askCustomer("refresh", {});
      const asked = { destinations, account_index: 0, unlock_time };
      return (await askCustomer("transfer", asked, z.object({ tx_hash: hashSchema }))).tx_hash;
    },
    newAddress: async () =>
      (await askCustomer("create_address", { account_index: 0 }, z.object({ address: z.string() }))).address,
    received: async (address) => {
      await askCustomer("refresh", {});
      const { index } = await askCustomer("get_address_index", { address }, indexAnswer);
      const asked = { in: true, pool: true, account_index: 0, subaddr_indices: [index.minor] };
      const found = await askCustomer("get_transfers", asked, receivedAnswer);
      return [...found.in, ...found.pool].map(({ txid, amount }) => ({ txId: txid, amount }));
    },
    end: async () => {
      await nodes.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const indexAnswer = z.object({ index: z.object({ minor: indexSchema }) });
const receivedAnswer = z.object({ in: z.array(transferSchema).default([]), pool: z.array(transferSchema).default([]) });

function askOf(url: string): MoneroAsk {
  const rpc = createMoneroRpc(url, LIMIT_MS);
  return (method, params, answer) => rpc.call(method, params, answer ?? z.any());
}
