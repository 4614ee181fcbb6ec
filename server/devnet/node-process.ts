import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../base/logging/log.ts";
import { repeat } from "../base/concurrency/loop.ts";

/** On a busy machine a program takes long to be loaded. */
const READY_TIMEOUT_MS = 180_000;
/** A chain survives a kill: what a node loses are its last seconds. */
const STOP_TIMEOUT_MS = 4_000;
/** A block that is being mined when the node is stopped gets this long. */
const LAST_BLOCK_TIMEOUT_MS = 1_000;

export type NodeProcess = {
  /** As the program prints it. */
  version: string;
  /** Ends the program; kills it when it does not end by itself. */
  stop(): Promise<void>;
};

export type NodeProcessOptions = {
  /** The program's path. */
  program: string;
  title: string;
  arguments: readonly string[];
  /** Rejects while the program doesn't answer. */
  checkReady(): Promise<void>;
};

/** Starts a network's program and waits for its first answer. It ends with this process. */
export async function startNodeProcess(options: NodeProcessOptions): Promise<NodeProcess> {
  const { program, title, checkReady } = options;
  const child = spawn(program, options.arguments, { stdio: ["ignore", "pipe", "pipe"] });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text: Buffer) => {
      printed.push(text.toString());
      if (printed.length > 20) printed.shift();
    });
  }
  const ended = once(child, "close");
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async () => {
    child.kill("SIGTERM");
    const timer = setTimeout(kill, STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
    process.off("exit", kill);
  };

  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (let lastError: unknown = null; ;) {
    try {
      await checkReady();
      return { version: versionOf(program), stop };
    } catch (error) {
      lastError = error;
    }
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (isOver || performance.now() > deadline) {
      if (!isOver) await stop();
      throw new Error(`${title} did not start: ${printed.join("").trim().split("\n").slice(-5).join("\n")}`, {
        cause: lastError,
      });
    }
    await wait(50);
  }
}

const versionOf = (program: string): string =>
  `${program.split("/").at(-1)}: ${spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.trim()}`;

/** Mines on a timer; `null` mines nothing by itself. */
export function startMining(name: string, everyMs: number | null, mine: () => Promise<void>, log: Log) {
  const loop = everyMs === null ? null : repeat(name, everyMs, mine, log);
  return { stop: () => Promise.race([loop?.stop(), wait(LAST_BLOCK_TIMEOUT_MS, undefined, { ref: false })]) };
}
