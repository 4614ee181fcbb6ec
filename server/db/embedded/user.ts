import { execFile, spawn, type ChildProcess } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { PostgresBinaries } from "./binaries.ts";

const run = promisify(execFile);
// The environment of whoever starts the app (PGDATA, PGPORT, a locale) must not reach the server.
const env = { PATH: process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };

interface User {
  uid: number;
  gid: number;
}

/** How programs of PostgreSQL are run: as which user and with which wrapper. */
export interface PostgresRunner {
  /** Owns the database folder; null when that is the user of this process. */
  user: User | null;
  /** Starts a program that gets `deathSignal` when this process dies, on systems that can do that. */
  start(program: string, args: readonly string[], deathSignal: "INT" | "KILL"): ChildProcess;
}

/**
 * Finds a way to run PostgreSQL on `dataDir`, which it refuses to do as root: there it runs as the owner of an existing database
 * folder, or as the user `postgres`, who is created when missing.
 */
export async function postgresRunner(
  binaries: PostgresBinaries,
  dataDir: string,
  folder: string,
): Promise<PostgresRunner> {
  const diesWithUs = await succeeds("setpriv", ["--pdeathsig", "KILL", "--", "true"]);
  if (process.getuid?.() !== 0) return runnerAs(null, [], diesWithUs);

  const user = (await ownerOf(folder)) ?? (await postgresUser());
  const ways = [runnerAs(user, [], diesWithUs), ...(diesWithUs ? [runnerAs(user, readEverywhere(user), true)] : [])];
  for (const way of ways) {
    if (await reaches(way, binaries, dataDir)) return way;
  }
  throw new Error(
    `The embedded database runs as a user of its own (id ${user.uid}), who can't get to ${await firstClosed([binaries.postgres, dataDir])}. ` +
      "Open that folder (chmod o+x), move the app and DATA_DIR elsewhere, start the app as another user than root, or set DATABASE_URL.",
  );
}

function runnerAs(user: User | null, privileges: readonly string[], diesWithUs: boolean): PostgresRunner {
  return {
    user,
    start(program, args, deathSignal) {
      const wrapped = diesWithUs
        ? ["setpriv", ...privileges, "--pdeathsig", deathSignal, "--", program, ...args]
        : [program, ...args];
      const [command = program, ...rest] = wrapped;
      return spawn(command, rest, {
        // With privileges to pass on, setpriv changes the user itself.
        ...(user !== null && privileges.length === 0 && user),
        cwd: "/",
        env,
        // Ctrl-C goes to the whole group of a terminal; the app has to drain before its database stops.
        detached: true,
        stdio: ["ignore", "ignore", "pipe"],
      });
    },
  };
}

/** Under a closed folder, such as a checkout in /root, the server may pass through directories and read, but not write. */
function readEverywhere(user: User): string[] {
  const ids = ["--reuid", String(user.uid), "--regid", String(user.gid), "--clear-groups"];
  const capability = "+dac_read_search";
  return [...ids, "--securebits", "+no_setuid_fixup", "--inh-caps", capability, "--ambient-caps", capability];
}

async function reaches(runner: PostgresRunner, binaries: PostgresBinaries, dataDir: string): Promise<boolean> {
  const script = '"$1" --version >/dev/null && test -r "$2" && cd "$3"';
  const child = runner.start(
    "/bin/sh",
    ["-c", script, "sh", binaries.postgres, binaries.bootstrapFile, dataDir],
    "KILL",
  );
  child.stderr?.resume();
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

async function ownerOf(folder: string): Promise<User | null> {
  try {
    const { uid, gid } = await stat(folder);
    return uid === 0 ? null : { uid, gid };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

async function postgresUser(): Promise<User> {
  if (!(await succeeds("id", ["-u", "postgres"]))) {
    try {
      await run("useradd", [
        "--system",
        "--user-group",
        "--no-create-home",
        "--shell",
        "/usr/sbin/nologin",
        "postgres",
      ]);
    } catch (error) {
      // Another app that starts at the same time has created it.
      if (!(await succeeds("id", ["-u", "postgres"]))) {
        throw new Error(
          "PostgreSQL refuses to run as root, and the user postgres could not be created for it. Create that user, start the app as another user, or set DATABASE_URL.",
          { cause: error },
        );
      }
    }
  }
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)),
  );
  if (!uid || !gid) throw new Error("the user postgres has no ids of its own");
  return { uid, gid };
}

async function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => execFile(command, args, (error) => resolve(error === null)));
}

async function firstClosed(paths: readonly string[]): Promise<string> {
  for (const path of paths) {
    const ancestors: string[] = [];
    for (let at = path; at !== dirname(at); at = dirname(at)) ancestors.unshift(at);
    for (const ancestor of ancestors) {
      if (((await stat(ancestor)).mode & 0o001) === 0) return ancestor;
    }
  }
  return paths.join(" or ");
}
