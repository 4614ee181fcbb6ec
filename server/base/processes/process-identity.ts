import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Distinguishes a process from a later one with the same pid: the boot, and the moment in it when the process started.
 * Null when there is no such process; a zombie counts as dead.
 */
export function startOfProcess(pid: number): string | null {
  return process.platform === "linux" ? startFromProc(pid) : startFromPs(pid);
}

function startFromProc(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name of the program, in parentheses, may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, ticksSinceBoot] = [fields[0], fields[19]];
  if (state === undefined || ticksSinceBoot === undefined || "ZX".includes(state)) return null;
  return `${readIfThere("/proc/sys/kernel/random/boot_id")?.trim() ?? ""}/${ticksSinceBoot}`;
}

function startFromPs(pid: number): string | null {
  try {
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return line === "" || line.startsWith("Z") ? null : line.replace(/^\S+\s+/, "");
  } catch (error) {
    // ps exits with 1 when there is no such process.
    if (error instanceof Error && "status" in error && error.status === 1) return null;
    throw error;
  }
}

/** The command line of a process, or null when it does not live. */
export function commandOfProcess(pid: number): string | null {
  if (startOfProcess(pid) === null) return null;
  if (process.platform === "linux") return readIfThere(`/proc/${pid}/cmdline`)?.replaceAll("\0", " ") ?? null;
  return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).trim();
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ESRCH") return null;
    throw error;
  }
}
