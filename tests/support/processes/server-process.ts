import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { processesBelow } from "../../../scripts/bench/idle/process-tree.ts";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { commandOfProcess } from "../../../server/base/processes/process-identity.ts";
import { eventually } from "../eventually.ts";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 40_000;

const living = new Set<ServerProcess>();
process.once("exit", () => {
  for (const server of living) server.destroy();
});

/**
 * The real server as a process of its own, on free ports and a temporary DATA_DIR. It needs a build in dist/. `await using` or
 * `end()` leaves nothing behind: no process of it, no node, no database, no folder.
 */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly rpcUrl: string;
  readonly dataDir: string;
  /** Every line that it has printed, also those of earlier runs. */
  readonly output: string[] = [];
  #env: Record<string, string>;
  #child: ChildProcess;
  #ended: Promise<number | null>;

  private constructor(dataDir: string, ports: { http: number; rpc: number }, env: Record<string, string>) {
    this.dataDir = dataDir;
    this.url = `http://127.0.0.1:${ports.http}`;
    this.rpcUrl = `http://127.0.0.1:${ports.rpc}`;
    this.#env = { DATA_DIR: dataDir, PORT: `${ports.http}`, DEVNET_EVM_PORT: `${ports.rpc}`, ...env };
    [this.#child, this.#ended] = this.#spawn();
    living.add(this);
  }

  /** Starts a server and waits until it is ready; `env` adds to its environment or replaces it. */
  static async start(env: Record<string, string> = {}): Promise<ServerProcess> {
    const dataDir = await mkdtemp(join(tmpdir(), "wherry-server-"));
    // The database may run as a user of its own, who has to get through.
    await chmod(dataDir, 0o711);
    const server = new ServerProcess(dataDir, { http: await freePort(), rpc: await freePort() }, env);
    try {
      await server.#ready(0);
    } catch (error) {
      await server.end();
      throw error;
    }
    return server;
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error("the server has no process");
    return pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The process that holds the database of this DATA_DIR, and the chain's node; null when it does not live. */
  postgresPid(): number | null {
    return this.#living(readIfThere(join(this.dataDir, "postgres-18/postmaster.pid"))?.split("\n", 1)[0]);
  }

  /** The worker process that it runs beside itself; null where there is none. */
  workerPid(): number | null {
    const found = processesBelow(this.pid).find(({ pid }) => commandOfProcess(pid)?.includes("worker-process.ts"));
    return found?.pid ?? null;
  }

  nodePid(): number | null {
    return this.#living(/"pid":(\d+)/.exec(readIfThere(join(this.dataDir, "devnet-evm/node.json")) ?? "")?.[1]);
  }

  /** Where the embedded database answers now. */
  async databaseUrl(): Promise<string> {
    const folder = join(this.dataDir, "postgres-18");
    const password = (await readFile(join(folder, "wherry-password"), "utf8")).trim();
    const port = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n")[3];
    return `postgres://wherry:${password}@127.0.0.1:${port}/wherry`;
  }

  async kill9(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  async killGroup(): Promise<void> {
    process.kill(-this.pid, "SIGKILL");
    await this.#ended;
  }

  /** Sends SIGTERM; returns its exit code, null when it died of a signal. */
  async term(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    return this.#ended;
  }

  /** Restarts it on the same DATA_DIR and ports, with `env` on top of its environment; returns how long that took, in milliseconds. */
  async restart(env: Record<string, string> = {}): Promise<number> {
    if (this.isRunning) throw new Error("the server still runs");
    this.#env = { ...this.#env, ...env };
    const before = this.output.length;
    const startedAt = performance.now();
    [this.#child, this.#ended] = this.#spawn();
    await this.#ready(before);
    return performance.now() - startedAt;
  }

  /** The output and exit code of a second server on the same DATA_DIR, with ports of its own. */
  async secondStart(): Promise<{ code: number | null; output: string; ms: number }> {
    const startedAt = performance.now();
    const env = { ...this.#env, PORT: `${await freePort()}`, DEVNET_EVM_PORT: `${await freePort()}` };
    const lines: string[] = [];
    const [child, ended] = launch(env, lines);
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
    const code = await ended;
    clearTimeout(timer);
    return { code, output: lines.join("\n"), ms: performance.now() - startedAt };
  }

  async end(): Promise<void> {
    if (this.isRunning) await this.killGroup();
    this.#killLeftovers();
    await eventually("the server's processes end", () => this.#leftovers().length === 0 || null);
    living.delete(this);
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 10 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  /** The same as `end`, for an interrupted test run. */
  destroy(): void {
    if (this.isRunning) process.kill(-this.pid, "SIGKILL");
    this.#killLeftovers();
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 10 });
  }

  #spawn(): [ChildProcess, Promise<number | null>] {
    return launch(this.#env, this.output);
  }

  async #ready(from: number): Promise<void> {
    const readyLine = () => {
      const printed = this.output.slice(from);
      if (printed.some((line) => /^ready( |$)/.test(line))) return true;
      if (!this.isRunning) throw new Error(`the server ended instead of starting:\n${printed.slice(-20).join("\n")}`);
      return null;
    };
    await eventually("the server is ready", readyLine, READY_WITHIN_MS);
  }

  #leftovers(): number[] {
    return [this.postgresPid(), this.nodePid()].filter((pid) => pid !== null);
  }

  #killLeftovers(): void {
    for (const pid of this.#leftovers()) process.kill(pid, "SIGKILL");
  }

  /** A pid is ours only while a process of this folder has it. */
  #living(pid: string | undefined): number | null {
    if (pid === undefined || !/^\d+$/.test(pid)) return null;
    return commandOfProcess(Number(pid))?.includes(this.dataDir) === true ? Number(pid) : null;
  }
}

/** In a group of its own, as a terminal or a service manager would start it. */
function launch(env: Record<string, string>, output: string[]): [ChildProcess, Promise<number | null>] {
  const child = spawn(process.execPath, ["server/main.ts"], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      LOG_LEVEL: "info",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", (line) => output.push(line));
  }
  return [child, once(child, "close").then(() => child.exitCode)];
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
