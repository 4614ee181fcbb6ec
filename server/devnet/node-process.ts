import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/** On a busy machine a program takes long to be loaded. */
const READY_WITHIN_MS = 180_000;
const STOP_WITHIN_MS = 20_000;

export type NodeProgram = { version: string; stop(): Promise<void> };

export type NodeProgramOptions = {
  /** Null where it is not installed. */
  path: string | null;
  title: string;
  arguments: readonly string[];
  /** Throws as long as the program doesn't answer. */
  answers(): Promise<void>;
};

/** Starts a network's program and waits for its first answer. It ends with this process. */
export async function startNode(options: NodeProgramOptions): Promise<NodeProgram> {
  const { path, title, answers } = options;
  if (path === null) throw new Error(`${title} is not installed`);
  const child = spawn(path, options.arguments, { stdio: ["ignore", "pipe", "pipe"] });
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
    const timer = setTimeout(kill, STOP_WITHIN_MS);
    await ended;
    clearTimeout(timer);
    process.off("exit", kill);
  };

  const deadline = performance.now() + READY_WITHIN_MS;
  for (let trouble: unknown = null; ;) {
    try {
      await answers();
      return { version: versionOf(path), stop };
    } catch (error) {
      trouble = error;
    }
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (isOver || performance.now() > deadline) {
      if (!isOver) await stop();
      throw new Error(`${title} did not start: ${printed.join("").trim().split("\n").slice(-5).join("\n")}`, {
        cause: trouble,
      });
    }
    await wait(50);
  }
}

const versionOf = (path: string): string =>
  `${path.split("/").at(-1)}: ${spawnSync(path, ["--version"], { encoding: "utf8" }).stdout.trim()}`;
