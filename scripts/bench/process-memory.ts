import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The resident set of one process in bytes, without its children. */
export function residentBytes(pid: number): number {
  const kilobytes =
    process.platform === "linux"
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).trim();
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kilobytes) * 1024;
}
