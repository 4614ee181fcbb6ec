import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for this run; started by root, PostgreSQL reaches it as a user of its own. */
export function temporaryFolder(resources: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), "wherry-bench-"));
  resources.defer(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
}
