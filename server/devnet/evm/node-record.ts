import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { commandOfProcess, startOfProcess } from "../../base/process-identity.ts";

const ownerSchema = z.object({ pid: z.int(), start: z.string().nullable(), port: z.int() });

/** The node that was started for a folder. */
export type NodeProcess = z.infer<typeof ownerSchema>;

const pathIn = (folder: string): string => join(folder, "node.json");

/** Synchronous, so that no kill can come between the start of a node and the note of who it is, save within microseconds. */
export function noteNode(folder: string, pid: number, port: number): NodeProcess {
  const node = { pid, start: startOfProcess(pid), port };
  const draft = `${pathIn(folder)}.new`;
  writeFileSync(draft, JSON.stringify(node));
  renameSync(draft, pathIn(folder));
  return node;
}

/** The node that still runs for this folder, or null. A process that got the pid of a dead node later is not it. */
export function runningNode(folder: string, statePath: string): NodeProcess | null {
  const node = readNote(folder);
  if (node === null || !isRunning(node)) return null;
  return commandOfProcess(node.pid)?.includes(statePath) ? node : null;
}

export const isRunning = (node: NodeProcess): boolean => node.start !== null && startOfProcess(node.pid) === node.start;

export const forgetNode = (folder: string): void => rmSync(pathIn(folder), { force: true });

function readNote(folder: string): NodeProcess | null {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(pathIn(folder), "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new Error(`${pathIn(folder)} is damaged; stop the anvil process of this folder and remove the file`, {
      cause: error,
    });
  }
}
