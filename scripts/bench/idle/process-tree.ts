import { readdirSync, readFileSync } from "node:fs";

/** Of Linux: the ticks in which it counts a process's time. */
const TICKS_PER_SECOND = 100;
const KIB = 1024;

/** A process as Linux shows it: the seconds of processor time that it has used, its memory in bytes, and its program's name. */
export type ProcessUse = { pid: number; program: string; cpuSeconds: number; rssBytes: number };

/** All processes below one, without itself. */
export function processesBelow(pid: number): ProcessUse[] {
  return childrenOf(pid).flatMap((child) => [...(readUse(child) ?? []), ...processesBelow(child)]);
}

function childrenOf(pid: number): number[] {
  return read(() =>
    readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    ),
  );
}

function readUse(pid: number): ProcessUse[] {
  return read(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in parentheses and may hold spaces; what follows is numbers, the user's and the system's time among them.
    const program = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const rssKib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    return [{ pid, program, cpuSeconds, rssBytes: Number(rssKib) * KIB }];
  });
}

/** A process may end while it is read. */
function read<T>(reading: () => T[]): T[] {
  try {
    return reading();
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return [];
    throw error;
  }
}
