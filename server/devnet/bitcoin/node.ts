import { mkdir } from "node:fs/promises";
import * as z from "zod";
import { findProgram, LITECOIND } from "../../../scripts/lib/programs.ts";
import type { Log } from "../../base/log.ts";
import { repeat } from "../../base/loop.ts";
import { createRpc } from "../../chains/bitcoin/rpc.ts";
import { startNode } from "../node-process.ts";
import { bitcoinDevnet, MINED_BLOCKS } from "./controls.ts";
import { randomHex } from "../../base/secrets.ts";

export type LitecoinOptions = {
  /** Keeps the chain and the wallets. */
  folder: string;
  port: number;
  /** The words that the server signs with. */
  mnemonic: string;
  /** A block each so many milliseconds; null: only when somebody asks. */
  blockMs: number | null;
  log: Log;
};

export type LitecoinNode = {
  rpcUrl: string;
  /** What the server is to be started with. */
  env: Record<"LTC_RPC_URL" | "LTC_MNEMONIC", string>;
  /** The program's version, as it prints it. */
  versions: string[];
  stop(): Promise<void>;
};

const CALL_LIMIT_MS = 60_000;

/** Starts litecoind in regtest, reachable from this machine only, and mines on a clock. Goes on where it was. */
export async function startLitecoin({ folder, port, mnemonic, blockMs, log }: LitecoinOptions): Promise<LitecoinNode> {
  await mkdir(folder, { recursive: true });
  const password = randomHex(16);
  const rpcUrl = `http://wherry:${password}@127.0.0.1:${port}`;
  const rpc = createRpc(rpcUrl, CALL_LIMIT_MS);
  const node = await startNode({
    path: findProgram(LITECOIND),
    title: LITECOIND.title,
    arguments: [
      ["-regtest", "-server", "-listen=0", "-dnsseed=0", "-printtoconsole=0", `-datadir=${folder}`],
      [`-rpcport=${port}`, "-rpcbind=127.0.0.1", "-rpcallowip=127.0.0.1"],
      // The customer's wallet needs few keys ahead, and each costs time.
      ["-rpcuser=wherry", `-rpcpassword=${password}`, "-keypool=20"],
      // Off by default in Litecoin: a payment may be replaced, as it may be in Bitcoin.
      ["-mempoolreplacement=1"],
    ].flat(),
    answers: async () => void (await rpc.call("getblockcount", [], z.int())),
  });
  const blocks = blockMs === null ? null : mineOnClock(rpcUrl, blockMs, log);
  return {
    rpcUrl,
    env: { LTC_RPC_URL: rpcUrl, LTC_MNEMONIC: mnemonic },
    versions: [node.version.split("\n")[0] ?? node.version],
    stop: async () => {
      await blocks?.stop();
      await node.stop();
    },
  };
}

function mineOnClock(rpcUrl: string, everyMs: number, log: Log) {
  const devnet = bitcoinDevnet({ networkTitle: "LTC", rpcUrl });
  return repeat(
    "litecoin blocks",
    everyMs,
    async () => {
      // A new chain's first blocks are the treasury's: the server makes them.
      if ((await devnet.height()) >= MINED_BLOCKS && !(await devnet.isPaused())) await devnet.mine(1);
    },
    log,
  );
}
