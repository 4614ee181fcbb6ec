import { randomUUID } from "node:crypto";
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startOfProcess } from "./process-identity.ts";
import { StartupError } from "./startup-error.ts";

export interface LockFile {
  release(): Promise<void>;
}

/**
 * A living process holds the lock of the folder.
 *
 * @internal Exported for its tests.
 */
export class FolderInUseError extends StartupError {
  override name = "FolderInUseError";
  readonly folder: string;
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(
      `The app is already running on the data folder ${folder} (process ${pid}). Stop it first, or set DATA_DIR to another folder.`,
    );
    this.folder = folder;
    this.pid = pid;
  }
}

interface Owner {
  pid: number;
  start: string | null;
  released?: boolean;
}

/**
 * Creates DATA_DIR when it is missing and locks it, so that a second start on it can't touch what the first one writes. Throws
 * `FolderInUseError` while another app process holds it; the lock of a dead one is taken over.
 */
export async function lockDataDir(dataDir: string): Promise<LockFile> {
  const isNew = (await mkdir(dataDir, { recursive: true })) !== undefined;
  // The database may run as its own user, who must be able to enter its folder but not to list this one.
  if (isNew) await chmod(dataDir, 0o711);
  const folder = await stat(dataDir);
  if (!folder.isDirectory()) throw new StartupError(`DATA_DIR is not a folder: ${dataDir}`);
  return acquireLock(dataDir, "owner");
}

/**
 * Locks a folder for this process until it releases the lock or dies; of several simultaneous attempts exactly one succeeds.
 * Throws `FolderInUseError` while a living process holds it.
 *
 * Lock files are numbered, and a lock is taken by creating the number after that of a dead owner. The highest number is never
 * removed, so two processes that find the same dead owner can't both take over.
 */
export async function acquireLock(folder: string, name: string): Promise<LockFile> {
  const me: Owner = { pid: process.pid, start: startOfProcess(process.pid) };
  for (;;) {
    const highest = Math.max(0, ...(await numbers(folder, name)));
    const owner = highest > 0 ? await readOwner(join(folder, `${name}.${highest}`)) : null;
    if (owner !== null && isAlive(owner)) throw new FolderInUseError(folder, owner.pid);

    const mine = highest + 1;
    const path = join(folder, `${name}.${mine}`);
    if (!(await createWhole(path, me))) continue;
    const all = await numbers(folder, name);
    if (all.some((number) => number > mine)) {
      // Another process took over from a later owner between our check and our lock.
      await rm(path, { force: true });
      continue;
    }
    await Promise.all(all.filter((n) => n < mine).map((n) => rm(join(folder, `${name}.${n}`), { force: true })));
    return { release: () => replace(path, { ...me, released: true }) };
  }
}

async function numbers(folder: string, name: string): Promise<number[]> {
  const found = (await readdir(folder)).map((file) => new RegExp(`^${name}\\.(\\d+)$`).exec(file)?.[1]);
  return found.filter((number) => number !== undefined).map(Number);
}

async function readOwner(path: string): Promise<Owner | null> {
  try {
    const owner: unknown = JSON.parse(await readFile(path, "utf8"));
    return isOwner(owner) ? owner : null;
  } catch (error) {
    // Removed by the new owner in the meantime, or truncated by a power cut: no process holds it.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT"))
      return null;
    throw error;
  }
}

function isOwner(value: unknown): value is Owner {
  return (
    typeof value === "object" && value !== null && "pid" in value && typeof value.pid === "number" && "start" in value
  );
}

function isAlive(owner: Owner): boolean {
  return !owner.released && owner.start !== null && startOfProcess(owner.pid) === owner.start;
}

/** Creates a file together with its content; false when it exists already. */
async function createWhole(path: string, owner: Owner): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(owner), { mode: 0o644 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replace(path: string, owner: Owner): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(owner));
  await rename(draft, path);
}
