import { chmod, mkdir, stat } from "node:fs/promises";
import { claimFolder, type FolderClaim } from "./lock-file.ts";

export { FolderInUseError } from "./lock-file.ts";

/**
 * Makes DATA_DIR when it is missing and claims it for this process, so that a second start on it can't touch what the first one
 * writes. Throws `FolderInUseError` while another app process lives on it; the claim of a dead one is taken over.
 */
export async function claimDataDir(dataDir: string): Promise<FolderClaim> {
  const isNew = (await mkdir(dataDir, { recursive: true })) !== undefined;
  // The database may run as a user of its own, who has to get through to its folder but not to see the others.
  if (isNew) await chmod(dataDir, 0o711);
  const folder = await stat(dataDir);
  if (!folder.isDirectory()) throw new Error(`DATA_DIR is not a folder: ${dataDir}`);
  return claimFolder(dataDir, "owner");
}
