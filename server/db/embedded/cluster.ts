import { once } from "node:events";
import { chown, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { PostgresBinaries } from "./binaries.ts";
import type { PostgresRunner } from "./user.ts";
import { randomHex } from "../../base/secrets.ts";

const passwordFile = "wherry-password";

/**
 * Creates the database folder when there is none, and returns the password of its roles. The folder gets its name only when it is
 * complete, so an interrupted first start leaves nothing but a draft that the next one removes.
 */
export async function openCluster(
  folder: string,
  options: { binaries: PostgresBinaries; runner: PostgresRunner; sync: boolean },
): Promise<string> {
  await removeDrafts(folder);
  const existing = await passwordOf(folder);
  if (existing !== null) return existing;

  const draft = `${folder}.draft-${randomHex(6)}`;
  const password = randomHex(24);
  await mkdir(draft, { mode: 0o700 });
  const handover = `${draft}.password`;
  await writeFile(handover, password, { mode: 0o600 });
  const { user } = options.runner;
  if (user !== null) {
    await chown(draft, user.uid, user.gid);
    await chown(handover, user.uid, user.gid);
  }
  await initdb(draft, handover, options);
  await rename(handover, join(draft, passwordFile));
  if (options.sync) await syncAll([join(draft, passwordFile), draft]);
  await rename(draft, folder);
  if (options.sync) await syncAll([dirname(folder)]);
  return password;
}

async function initdb(
  draft: string,
  handover: string,
  { binaries, runner, sync }: { binaries: PostgresBinaries; runner: PostgresRunner; sync: boolean },
): Promise<void> {
  const args = [
    "-D",
    draft,
    "-U",
    "postgres",
    "-A",
    "scram-sha-256",
    `--pwfile=${handover}`,
    "--locale=C",
    "-E",
    "UTF8",
  ];
  const child = runner.start(binaries.initdb, sync ? args : [...args, "--no-sync"], "KILL");
  const complaint = child.stderr === null ? "" : text(child.stderr);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The database folder could not be made (initdb: ${(await complaint).trim()})`);
}

async function passwordOf(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, passwordFile), "utf8")).trim();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "EACCES")
      throw new Error(`The database folder ${folder} belongs to another user. Start the app as that user.`, {
        cause: error,
      });
    if (error.code !== "ENOENT") throw error;
  }
  if (await isEmpty(folder)) return null;
  throw new Error(
    `${folder} is not a database folder of this app (${passwordFile} is missing). Move it away, or set DATA_DIR to another folder.`,
  );
}

async function isEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
}

async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(dirname(folder))).filter((name) => name.startsWith(`${basename(folder)}.draft-`));
  // A dying initdb may still be writing into its draft.
  await Promise.all(
    drafts.map((name) => rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 20 })),
  );
}

async function syncAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await using file = await open(path, "r");
    await file.sync();
  }
}
