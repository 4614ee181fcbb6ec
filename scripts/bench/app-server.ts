import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { join } from "node:path";
import { freePort } from "../lib/free-port.ts";
import { root } from "../lib/run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 30_000;
/** As `npm start` has them: what Node and glibc choose lets a server that idles keep some 100 MB of what it no longer uses. */
const NODE_OPTIONS = ["--max-semi-space-size=16"];
const ENVIRONMENT = { MALLOC_ARENA_MAX: "1" };

export type AppServer = { url: string; pid: number; stop: () => Promise<void> };

/** Starts the built server with the sandbox, on ports and a data folder of its own; it is stopped with `resources`. */
export async function startApp(resources: AsyncDisposableStack, env: Record<string, string> = {}): Promise<AppServer> {
  const [port, devnetPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const dataDir = temporaryFolder(resources);
  const child = spawn(process.execPath, [...NODE_OPTIONS, "server/main.ts"], {
    cwd: root,
    // Its log would cost the reader as much as the writer; warnings still say what went wrong.
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      ...ENVIRONMENT,
      NODE_ENV: "production",
      SANDBOX: "on",
      PORT: String(port),
      PUBLIC_URL: url,
      DEVNET_EVM_PORT: String(devnetPort),
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
      // On standard output its lines would stand between the figures.
      SECURITY_LOG: join(dataDir, "security.log"),
      ...env,
    },
  });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    const lastResort = setTimeout(() => child.kill("SIGKILL"), STOPPED_WITHIN_MS);
    await ended;
    clearTimeout(lastResort);
  };
  resources.defer(stop);
  await ready(child.stdout, ended);
  if (child.pid === undefined) throw new Error("the server has no process");
  return { url, pid: child.pid, stop };
}

async function ready(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<void> {
  const lines = createInterface({ input: output });
  const timeout = AbortSignal.timeout(READY_WITHIN_MS);
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      if (line.startsWith("ready ")) resolve();
      else console.error(line);
    });
    timeout.addEventListener("abort", () => reject(new Error("the server is not ready in time")));
    ended.then(() => reject(new Error("the server ended before it was ready")), reject);
  });
}
