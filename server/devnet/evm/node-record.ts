import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { commandOfProcess, startOfProcess } from "../../base/processes/process-identity.ts";

const recordSchema = z.object({ pid: z.int(), start: z.string().nullable(), port: z.int() });

/** The anvil process that was started for a folder. */
export type NodeRecord = z.infer<typeof recordSchema>;

const pathIn = (folder: string): string => join(folder, "node.json");

/** Synchronous, so that a kill between the start of a node and its record is all but impossible. */
export function writeNodeRecord(folder: string, pid: number, port: number): NodeRecord {
  const node = { pid, start: startOfProcess(pid), port };
  const draft = `${pathIn(folder)}.new`;
  writeFileSync(draft, JSON.stringify(node));
  renameSync(draft, pathIn(folder));
  return node;
}

/** The node that still runs for this folder, or null. A process that later got the pid of a dead node is not it. */
export function runningNode(folder: string, statePath: string): NodeRecord | null {
  const node = readNodeRecord(folder);
  if (node === null || !isRunning(node)) return null;
  return commandOfProcess(node.pid)?.includes(statePath) ? node : null;
}

export const isRunning = (node: NodeRecord): boolean => node.start !== null && startOfProcess(node.pid) === node.start;

export const removeNodeRecord = (folder: string): void => rmSync(pathIn(folder), { force: true });

function readNodeRecord(folder: string): NodeRecord | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(pathIn(folder), "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new Error(`${pathIn(folder)} is damaged; stop the anvil process of this folder and remove the file`, {
      cause: error,
    });
  }
}
