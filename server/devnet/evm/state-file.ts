import { copyFile, open, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../base/logging/log.ts";
import { DevnetError } from "./anvil.ts";

const COPY_EVERY_MS = 2_000;
/** A copy costs what the file is long: a long file is copied less often, at some 10 MB a second. */
const BYTES_PER_MS = 10_000;
/** The node writes in place: a file that was modified this recently may be half written. */
const SETTLED_MS = 100;
const STATE_END = '"historical_states":null}';

type FileState = { mtimeMs: number; size: number };

export const statePath = (folder: string): string => join(folder, "state.json");
const backupPath = (folder: string): string => join(folder, "state.backup.json");

/**
 * Makes sure that the node finds a complete state: it writes its file in place, so a kill in the middle leaves half of one, and the
 * last complete copy replaces it. Throws when neither is complete, because a new chain would lose every payment.
 */
export async function repairState(folder: string, log: Log): Promise<void> {
  const state = await checkState(statePath(folder));
  if (state === "complete") return;
  const backup = await checkState(backupPath(folder));
  if (backup === "complete") {
    log.warn({ folder, state }, "the devnet's state was incomplete; its last copy replaces it");
    await copyWhole(backupPath(folder), statePath(folder));
    return;
  }
  if (state === "torn" || backup === "torn")
    throw new DevnetError(
      `the devnet's state in ${folder} is damaged; remove the data folder to start with a new chain`,
    );
}

/** Copies the state whenever the node has written it; returns the function that stops this. */
export function keepCopies(folder: string, log: Log): () => void {
  let copied = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const next = (delay: number) => {
    if (isOver) return;
    timer = setTimeout(() => void turn(), delay);
    timer.unref();
  };
  const turn = async () => {
    try {
      const state = await statIfThere(statePath(folder));
      if (state === null || state.mtimeMs === copied) return next(COPY_EVERY_MS);
      if (!(await copySettled(folder, state))) return next(SETTLED_MS);
      copied = state.mtimeMs;
      next(Math.max(COPY_EVERY_MS, state.size / BYTES_PER_MS));
    } catch (error) {
      log.warn({ err: error }, "the devnet's state could not be copied");
      next(COPY_EVERY_MS);
    }
  };
  next(COPY_EVERY_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** False when the node may have been writing meanwhile, so that the copy may be torn. */
async function copySettled(folder: string, seen: FileState): Promise<boolean> {
  if (Date.now() - seen.mtimeMs < SETTLED_MS) return false;
  const draft = `${backupPath(folder)}.new`;
  await copyFile(statePath(folder), draft);
  const now = await statIfThere(statePath(folder));
  if (now?.mtimeMs !== seen.mtimeMs || now.size !== seen.size) return false;
  await rename(draft, backupPath(folder));
  return true;
}

async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, `${to}.new`);
  await rename(`${to}.new`, to);
}

async function checkState(path: string): Promise<"missing" | "torn" | "complete"> {
  if ((await statIfThere(path)) === null) return "missing";
  return (await endsAsNodesEnd(path)) || (await isJson(path)) ? "complete" : "torn";
}

/** The last entry of what anvil writes. It spares reading a state of hundreds of megabytes; other versions may end otherwise. */
async function endsAsNodesEnd(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Math.min(size, STATE_END.length);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8") === STATE_END;
  } finally {
    await file.close();
  }
}

async function isJson(path: string): Promise<boolean> {
  try {
    JSON.parse(await readFile(path, "utf8"));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

async function statIfThere(path: string): Promise<FileState | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
