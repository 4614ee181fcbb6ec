import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Log } from "../../base/logging/log.ts";
import { createMoneroRpc, MoneroRpcError, type MoneroRpc } from "../../chains/monero/rpc.ts";
import { startMining, startNodeProcess, type NodeProcess } from "../node-process.ts";
import { moneroDevnet } from "./controls.ts";

export type MoneroOptions = {
  /** The paths of monerod and monero-wallet-rpc. */
  programs: { daemon: string; wallet: string };
  /** Keeps the chain and the wallets. */
  folder: string;
  ports: {
    daemon: number;
    p2p: number;
    announcements: number;
    zmq: number;
    hot: number;
    view: number;
    customer: number;
  };
  /**
   * Coinbases of some 35 XMR that the treasury and the customer start with: an output each, so that no payment waits
   * for another's change.
   */
  outputs: { hot: number; customer: number };
  /** Milliseconds between blocks; null: blocks are mined on request only. */
  blockMs: number | null;
  log: Log;
};

export type MoneroNodes = {
  /** The server's environment for these nodes. */
  env: Record<
    "XMR_DAEMON_URL" | "XMR_ZMQ_URL" | "XMR_VIEW_WALLET_URL" | "XMR_WALLET_URL" | "XMR_SANDBOX_WALLET_URL",
    string
  >;
  /** The programs' versions, as they print them. */
  versions: string[];
  stop(): Promise<void>;
};

/** Coinbases can be spent 60 blocks later. With fewer than some 120 blocks in all the wallet looks for decoys forever. */
const UNTIL_SPENDABLE = 60;
/** On a busy machine a block takes more than a second. */
const MINED_AT_ONCE = 10;
const CALL_TIMEOUT_MS = 300_000;
const nothing = z.unknown();

/**
 * Starts monerod in regtest and three wallets: the treasury's, its view-only copy for reading, the customer's. An
 * existing chain is continued.
 */
export async function startMonero(options: MoneroOptions): Promise<MoneroNodes> {
  const { folder, ports, outputs } = options;
  const running: NodeProcess[] = [];
  const stop = async () => void (await Promise.all(running.splice(0).map((one) => one.stop())));
  try {
    await mkdir(join(folder, "chain"), { recursive: true });
    running.push(await startDaemon(options));
    const daemon = rpcAt(ports.daemon);
    const [hot, view, customer] = await Promise.all(
      (["hot", "view", "customer"] as const).map(async (name) => {
        running.push(await startWallet(options, name));
        return rpcAt(ports[name]);
      }),
    );
    if (!hot || !view || !customer) throw new Error("three wallets are started");
    await Promise.all([openOrCreate(hot, "hot"), openOrCreate(customer, "customer")]);
    await openViewOnly(view, hot);
    await fund(daemon, { hot: await addressOf(hot), customer: await addressOf(customer) }, outputs);
    await Promise.all([hot, view, customer].map((wallet) => wallet.call("refresh", {}, nothing)));
  } catch (error) {
    await stop();
    throw error;
  }
  const env = {
    XMR_DAEMON_URL: urlAt(ports.daemon),
    XMR_ZMQ_URL: announcedAt(ports.announcements),
    XMR_VIEW_WALLET_URL: urlAt(ports.view),
    XMR_WALLET_URL: urlAt(ports.hot),
    XMR_SANDBOX_WALLET_URL: urlAt(ports.customer),
  };
  const devnet = moneroDevnet({ daemonUrl: env.XMR_DAEMON_URL, walletUrl: env.XMR_SANDBOX_WALLET_URL });
  const mine = async () => ((await devnet.isPaused()) ? undefined : devnet.mine(1));
  const mining = startMining("monero blocks", options.blockMs, mine, options.log);
  return {
    env,
    versions: [...new Set(running.map(({ version }) => version))],
    stop: async () => {
      await mining.stop();
      await stop();
    },
  };
}

const urlAt = (port: number): string => `http://127.0.0.1:${port}`;
const announcedAt = (port: number): string => `tcp://127.0.0.1:${port}`;
const rpcAt = (port: number): MoneroRpc => createMoneroRpc(urlAt(port), CALL_TIMEOUT_MS);

function startDaemon({ programs, folder, ports }: MoneroOptions): Promise<NodeProcess> {
  const { daemon, p2p, announcements, zmq } = ports;
  return startNodeProcess({
    program: programs.daemon,
    title: "monerod",
    // Without --keep-fakechain each start would delete the chain.
    arguments: [
      ["--regtest", "--offline", "--keep-fakechain", "--fixed-difficulty", "1", "--non-interactive"],
      ["--zmq-pub", announcedAt(announcements), "--zmq-rpc-bind-port", String(zmq)],
      // Otherwise each start makes a certificate, which takes seconds.
      ["--rpc-ssl", "disabled"],
      ["--data-dir", join(folder, "chain"), "--log-level", "0"],
      ["--rpc-bind-port", String(daemon), "--p2p-bind-port", String(p2p), "--db-sync-mode", "fast:async:1000bytes"],
    ].flat(),
    checkReady: async () => void (await rpcAt(daemon).call("get_info", {}, nothing)),
  });
}

async function startWallet({ programs, folder, ports }: MoneroOptions, name: "hot" | "view" | "customer") {
  const wallets = join(folder, name);
  await mkdir(wallets, { recursive: true });
  return startNodeProcess({
    program: programs.wallet,
    title: "monero-wallet-rpc",
    arguments: [
      ["--wallet-dir", wallets, "--shared-ringdb-dir", join(wallets, "rings"), "--log-file", join(wallets, "log")],
      ["--rpc-bind-port", String(ports[name]), "--disable-rpc-login", "--log-level", "0"],
      ["--daemon-address", `127.0.0.1:${ports.daemon}`, "--trusted-daemon"],
      ["--rpc-ssl", "disabled", "--daemon-ssl", "disabled"],
    ].flat(),
    checkReady: async () => void (await rpcAt(ports[name]).call("get_version", {}, nothing)),
  });
}

async function openOrCreate(wallet: MoneroRpc, filename: string): Promise<void> {
  if (await opens(wallet, filename)) return;
  await wallet.call("create_wallet", { filename, password: "", language: "English" }, nothing);
}

/** Made of the treasury's address and view key: it sees what arrives, and holds nothing that could sign. */
async function openViewOnly(view: MoneroRpc, hot: MoneroRpc): Promise<void> {
  if (await opens(view, "view")) return;
  const { key } = await hot.call("query_key", { key_type: "view_key" }, z.object({ key: z.string() }));
  const address = await addressOf(hot);
  const made = { filename: "view", password: "", address, viewkey: key, restore_height: 0 };
  await view.call("generate_from_keys", made, nothing);
}

async function opens(wallet: MoneroRpc, filename: string): Promise<boolean> {
  try {
    await wallet.call("open_wallet", { filename, password: "" }, nothing);
    return true;
  } catch (error) {
    if (error instanceof MoneroRpcError) return false;
    throw error;
  }
}

const addressOf = async (wallet: MoneroRpc): Promise<string> =>
  (await wallet.call("get_address", { account_index: 0 }, z.object({ address: z.string() }))).address;

async function fund(
  daemon: MoneroRpc,
  addresses: { hot: string; customer: string },
  outputs: MoneroOptions["outputs"],
): Promise<void> {
  const { height } = await daemon.call("get_info", {}, z.object({ height: z.bigint() }));
  if (height > 1n) return;
  await mine(daemon, addresses.hot, outputs.hot);
  await mine(daemon, addresses.customer, outputs.customer + UNTIL_SPENDABLE);
}

async function mine(daemon: MoneroRpc, wallet_address: string, blocks: number): Promise<void> {
  for (let left = blocks; left > 0; left -= MINED_AT_ONCE) {
    const asked = { amount_of_blocks: Math.min(left, MINED_AT_ONCE), wallet_address, starting_nonce: 0 };
    await daemon.call("generateblocks", asked, nothing);
  }
}
