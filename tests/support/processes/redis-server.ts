import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findProgram, REDIS } from "../../../scripts/lib/programs.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../../../scripts/lib/free-port.ts";

const living = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

/** A real redis-server without persistence; it can be stopped and started again on its port. */
export class RedisServer implements AsyncDisposable {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  #child: ChildProcess | null = null;

  private constructor(port: number, folder: string) {
    this.#port = port;
    this.#folder = folder;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), "wherry-redis-")));
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const program = findProgram(REDIS);
    if (program === null) throw new Error(`redis-server is missing: install the package ${REDIS.debianPackage}`);
    const settings = ["--port", `${this.#port}`, "--bind", "127.0.0.1", "--save", "", "--dir", this.#folder];
    const child = spawn(program, settings, { stdio: "ignore" });
    living.add(child);
    this.#child = child;
    await eventually("redis-server answers", () => this.#answers());
  }

  async kill9(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    living.delete(child);
  }

  /** Stops it from answering while its connections stay open, or lets it go on. */
  freeze(frozen: boolean): void {
    this.#child?.kill(frozen ? "SIGSTOP" : "SIGCONT");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill9();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<true | null> {
    const client = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.ping()) === "PONG" ? true : null;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return null;
    } finally {
      client.disconnect();
    }
  }
}
