import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../../base/logging/log.ts";
import { createEvmRpc, type EvmRpc } from "../../chains/evm/rpc.ts";
import { quantitySchema } from "../../chains/evm/schemas.ts";
import { findAnvil, DevnetError } from "./anvil.ts";
import { isRunning, removeNodeRecord, runningNode, writeNodeRecord, type NodeRecord } from "./node-record.ts";
import { repairState, statePath } from "./state-file.ts";

export const CHAIN_ID = 31_337;
export const BLOCK_SECONDS = 1;

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 20_000;
const CALL_TIMEOUT_MS = 10_000;
const HOST = "127.0.0.1";

export const devnetFolder = (dataDir: string): string => resolve(join(dataDir, "devnet-evm"));

export type DevnetNode = { process: NodeRecord; rpcUrl: string; rpc: EvmRpc };

/** Attaches to the node that runs for this folder, or starts one from the state that the last one left. */
export async function openNode(folder: string, port: number, log: Log): Promise<DevnetNode> {
  await mkdir(folder, { recursive: true });
  const running = runningNode(folder, statePath(folder));
  if (running !== null && running.port === port && (await answers(running))) {
    log.info({ nodePid: running.pid, port }, "attached to the running devnet");
    return over(running);
  }
  if (running !== null) {
    log.warn(
      { nodePid: running.pid, port: running.port },
      "the running devnet does not answer or is on another port; restarting it",
    );
    await stopNode(folder, running, log);
  }
  return startNode(folder, port, log);
}

/** Ends the node with its state written; kills it when it does not end by itself. */
export async function stopNode(
  folder: string,
  node: NodeRecord,
  log: Log,
  timeoutMs: number = STOP_TIMEOUT_MS,
): Promise<void> {
  signal(node, "SIGTERM");
  if (!(await ends(node, timeoutMs))) {
    log.error({ nodePid: node.pid }, "the devnet did not stop and is killed; its last seconds may be lost");
    signal(node, "SIGKILL");
    await ends(node, STOP_TIMEOUT_MS);
  }
  removeNodeRecord(folder);
}

/** Ends the node of a DATA_DIR that a killed server left running. */
export async function stopLeftoverNode(dataDir: string, log: Log, timeoutMs: number): Promise<void> {
  const folder = devnetFolder(dataDir);
  const node = runningNode(folder, statePath(folder));
  if (node !== null) await stopNode(folder, node, log, timeoutMs);
}

async function startNode(folder: string, port: number, log: Log): Promise<DevnetNode> {
  if (await isTaken(port))
    throw new DevnetError(`port ${port} is taken by another program: free it, or set DEVNET_EVM_PORT to another port`);
  await repairState(folder, log);
  const cache = join(folder, "cache");
  await rm(cache, { recursive: true, force: true });

  const logPath = join(folder, "node.log");
  const output = openSync(logPath, "a");
  // A session of its own: the node outlives a killed server, also one whose whole process group is killed.
  const child = spawn(findAnvil(), nodeArguments(folder, port, cache), {
    detached: true,
    stdio: ["ignore", output, output],
  });
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  closeSync(output);
  if (child.pid === undefined) return failed;
  const node = writeNodeRecord(folder, child.pid, port);
  child.unref();

  if (!(await Promise.race([answers(node), failed]))) {
    const why = (await readFile(logPath, "utf8")).trim().split("\n").slice(-5).join("\n");
    await stopNode(folder, node, log);
    throw new DevnetError(`the devnet did not start on port ${port}: ${why || "it gave no reason"}`);
  }
  log.info({ nodePid: node.pid, port }, "started the devnet");
  return over(node);
}

const nodeArguments = (folder: string, port: number, cache: string): string[] =>
  [
    ["--host", HOST, "--port", String(port)],
    ["--chain-id", String(CHAIN_ID), "--block-time", String(BLOCK_SECONDS)],
    ["--accounts", "10", "--balance", "1000000"],
    // The base fee of an idle chain falls to 7 wei in its first minutes: it starts there, so that fees stay at the tip of 1 gwei.
    ["--block-base-fee-per-gas", "7"],
    // Later hard forks store each block's hash in the state, which makes every stored block more expensive.
    ["--hardfork", "cancun"],
    ["--state", statePath(folder), "--state-interval", "2"],
    ["--cache-path", cache, "--max-persisted-states", "64"],
    ["--quiet"],
  ].flat();

const rpcUrlOf = (port: number): string => `http://${HOST}:${port}`;

const over = (node: NodeRecord): DevnetNode => {
  const rpcUrl = rpcUrlOf(node.port);
  return { process: node, rpcUrl, rpc: createEvmRpc(rpcUrl, CALL_TIMEOUT_MS) };
};

/** Whether the node serves our chain before the time is up; false as soon as its process has ended. */
async function answers(node: NodeRecord): Promise<boolean> {
  const rpc = createEvmRpc(rpcUrlOf(node.port), 1_000);
  const until = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < until && isRunning(node)) {
    try {
      const chainId = await rpc.call("eth_chainId", [], quantitySchema, { retryCount: 0 });
      return chainId === BigInt(CHAIN_ID) && isRunning(node);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      await wait(30);
    }
  }
  return false;
}

async function ends(node: NodeRecord, withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs;
  while (isRunning(node)) {
    if (Date.now() > until) return false;
    await wait(20);
  }
  return true;
}

function signal(node: NodeRecord, name: NodeJS.Signals): void {
  if (!isRunning(node)) return;
  try {
    process.kill(node.pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, HOST);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNREFUSED" ? resolve(false) : reject(error),
    );
  });
}
