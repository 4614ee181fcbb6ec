import { randomUUID } from "node:crypto";
import { link, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startOfProcess } from "./process-identity.ts";

export interface FolderClaim {
  /** Lets another process, or a later claim of this one, have the folder. */
  release(): Promise<void>;
}

/** A living process has claimed the folder. */
export class FolderInUseError extends Error {
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
 * Claims a folder for this process until it releases it or dies; of several simultaneous claims exactly one wins.
 * Throws `FolderInUseError` while a living process holds it.
 *
 * Owners are numbered files, and a claim is the creation of the number after that of a dead owner: nobody ever removes the
 * highest number, so two processes that find the same dead owner can't both take its place.
 */
export async function claimFolder(folder: string, name: string): Promise<FolderClaim> {
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
      // Someone else took the place of a later owner between our look and our claim.
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
    // Removed by a winner in the meantime, or emptied by a power cut: nobody lives behind it.
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
