import { mkdtemp, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";
const TMPFS = 0x01021994;
/** A run's databases and their write-ahead log take less than half of it. */
const ROOM = 4_000_000_000;

/**
 * A folder in memory where there is room, else one of the disk. Tests make and drop thousands of databases of 700 files: on ext4 without a
 * journal, which skips inodes that were freed in the last seconds one by one, making one after a drop takes 300 ms of a processor instead of 25.
 */
export async function memoryFolder(prefix: string): Promise<string> {
  return mkdtemp(join((await hasRoom()) ? IN_MEMORY : tmpdir(), prefix));
}

async function hasRoom(): Promise<boolean> {
  try {
    const { type, bavail, bsize } = await statfs(IN_MEMORY);
    return type === TMPFS && bavail * bsize > ROOM && freemem() > ROOM;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
