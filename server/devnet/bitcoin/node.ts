import { mkdir } from "node:fs/promises";
import * as z from "zod";
import type { Log } from "../../base/logging/log.ts";
import { createBitcoinRpc } from "../../chains/bitcoin/rpc.ts";
import { startMining, startNodeProcess } from "../node-process.ts";
import { bitcoinDevnet, MINED_BLOCKS } from "./controls.ts";
import { randomHex } from "../../base/secrets.ts";

export type LitecoinOptions = {
  /** The path of litecoind. */
  program: string;
  /** Keeps the chain and the wallets. */
  folder: string;
  port: number;
  /** The mnemonic that the server signs with. */
  mnemonic: string;
  /** Milliseconds between blocks; null: blocks are mined on request only. */
  blockMs: number | null;
  /** More of the program's own options; they come last and win. */
  arguments?: readonly string[];
  log: Log;
};

export type LitecoinNode = {
  rpcUrl: string;
  /** The server's environment for this node. */
  env: Record<"LTC_RPC_URL" | "LTC_MNEMONIC", string>;
  /** The program's version, as it prints it. */
  versions: string[];
  stop(): Promise<void>;
};

const CALL_TIMEOUT_MS = 60_000;

/** Starts litecoind in regtest, reachable from this machine only, and mines on a timer. An existing chain is continued. */
export async function startLitecoin(options: LitecoinOptions): Promise<LitecoinNode> {
  const { program, folder, port, mnemonic, blockMs, log } = options;
  await mkdir(folder, { recursive: true });
  const password = randomHex(16);
  const rpcUrl = `http://wherry:${password}@127.0.0.1:${port}`;
  const rpc = createBitcoinRpc(rpcUrl, CALL_TIMEOUT_MS);
  const node = await startNodeProcess({
    program,
    title: "litecoind",
    arguments: [
      ["-regtest", "-server", "-listen=0", "-dnsseed=0", "-printtoconsole=0", `-datadir=${folder}`],
      [`-rpcport=${port}`, "-rpcbind=127.0.0.1", "-rpcallowip=127.0.0.1"],
      // The customer's wallet needs few keys ahead, and each costs time.
      ["-rpcuser=wherry", `-rpcpassword=${password}`, "-keypool=20"],
      // Off by default in Litecoin: a payment may be replaced, as it may be in Bitcoin.
      ["-mempoolreplacement=1"],
      options.arguments ?? [],
    ].flat(),
    checkReady: async () => void (await rpc.call("getblockcount", [], z.int())),
  });
  const devnet = bitcoinDevnet({ networkTitle: "LTC", rpcUrl });
  const mine = async () => {
    // The server mines the first blocks of a new chain, for the treasury.
    if ((await devnet.height()) >= MINED_BLOCKS && !(await devnet.isPaused())) await devnet.mine(1);
  };
  const mining = startMining("litecoin blocks", blockMs, mine, log);
  return {
    rpcUrl,
    env: { LTC_RPC_URL: rpcUrl, LTC_MNEMONIC: mnemonic },
    versions: [node.version.split("\n")[0] ?? node.version],
    stop: async () => {
      await mining.stop();
      await node.stop();
    },
  };
}
