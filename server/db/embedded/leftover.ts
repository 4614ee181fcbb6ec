import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../base/logging/log.ts";
import { commandOfProcess } from "../../base/processes/process-identity.ts";

const stopSteps = [
  { signal: "SIGINT", patienceMs: 15_000 },
  { signal: "SIGQUIT", patienceMs: 5_000 },
  { signal: "SIGKILL", patienceMs: 5_000 },
] as const;

/**
 * Clears the way on a database folder whose owner is dead: stops a server that outlived it and removes the lock of a dead one.
 * PostgreSQL does not do the latter when the lock's pid is a zombie or belongs to another program by now.
 */
export async function clearLeftover(folder: string, log: Log): Promise<void> {
  const lock = join(folder, "postmaster.pid");
  const pid = await pidIn(lock);
  if (pid === null) return;
  if (serves(pid, folder)) {
    log.warn({ postgresPid: pid }, "stopping a database server that outlived its app");
    await stopServer(pid, folder);
  }
  await rm(lock, { force: true });
}

async function stopServer(pid: number, folder: string): Promise<void> {
  for (const { signal, patienceMs } of stopSteps) {
    if (!signalled(pid, signal)) return;
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await delay(20)) {
      if (!serves(pid, folder)) return;
    }
  }
  throw new Error(`The database server ${pid}, which outlived its app, does not stop. Stop it by hand.`);
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

function serves(pid: number, folder: string): boolean {
  return commandOfProcess(pid)?.includes(` -D ${folder} `) ?? false;
}

async function pidIn(lock: string): Promise<number | null> {
  try {
    const pid = Number((await readFile(lock, "utf8")).split("\n", 1)[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
