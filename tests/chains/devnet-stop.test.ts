import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../scripts/lib/free-port.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const ENDS_WITHIN_MS = 15_000;
/** Monero mines its first blocks. */
const TIMEOUT_MS = 600_000;

/** The processes that were started with this folder in their arguments or their environment. */
function processesOf(folder: string): string[] {
  const textOf = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "utf8").replaceAll("\0", " ");
    } catch (error) {
      // It has ended since, or belongs to somebody else.
      if (error instanceof Error && "code" in error) return "";
      throw error;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== `${process.pid}`)
    .filter((pid) => `${textOf(pid, "cmdline")} ${textOf(pid, "environ")}`.includes(folder))
    .map((pid) => `${pid} ${textOf(pid, "cmdline")}`);
}

it("npm run devnet ends within 15 s of SIGTERM and leaves no process behind", { timeout: TIMEOUT_MS }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "wherry-devnet-stop-"));
  // The database may run as a user of its own, who has to get through.
  await chmod(dataDir, 0o711);
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: `${await freePort()}`,
    DEVNET_EVM_PORT: `${await freePort()}`,
  };
  const devnet = spawn("npm", ["run", "--silent", "devnet"], {
    cwd: REPOSITORY,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(devnet, "exit");
  onTestFinished(async () => {
    for (const running of processesOf(dataDir)) process.kill(Number.parseInt(running, 10), "SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  });
  const lines = createInterface({ input: devnet.stdout });
  const printed: string[] = [];
  for await (const line of lines) {
    printed.push(line);
    if (line.startsWith("ready http")) break;
  }
  devnet.stdout.resume();
  expect(printed.at(-1)).toMatch(/^ready http/);
  expect(processesOf(dataDir).length).toBeGreaterThan(3);

  devnet.kill("SIGTERM");
  const hasEnded = await Promise.race([ended.then(() => true), delay(ENDS_WITHIN_MS, false)]);
  expect([hasEnded, processesOf(dataDir)]).toEqual([true, []]);
});
