import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that npm does not bring: how it may be called, and which package of Debian has it. */
export type Program = {
  title: string;
  /** Names on the PATH, best first. */
  names: readonly string[];
  /** Full paths to check beside the PATH. */
  paths?: readonly string[];
  /** An environment variable that may hold its path. */
  variable?: string;
  debianPackage: string;
};

export const LITECOIND: Program = { title: "litecoind", names: ["litecoind"], debianPackage: "litecoind" };
export const MONEROD: Program = { title: "monerod", names: ["monerod"], debianPackage: "monero" };
export const MONERO_WALLET: Program = {
  title: "monero-wallet-rpc",
  names: ["monero-wallet-rpc"],
  debianPackage: "monero",
};
export const REDIS: Program = { title: "redis-server", names: ["redis-server"], debianPackage: "redis-server" };
/** They run the examples of the partner API as its readers do. */
export const EXAMPLE_PROGRAMS: readonly Program[] = ["python3", "curl", "openssl"].map((name) => ({
  title: name,
  names: [name],
  debianPackage: name,
}));
/** A server for tests of another version than the one that npm brings. */
export const POSTGRES: Program = {
  title: "PostgreSQL",
  names: [],
  paths: [15, 16, 17].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`),
  debianPackage: "postgresql",
};

/** The path of an installed program, or null. */
export function findProgram({ names, paths = [], variable }: Program): string | null {
  const given = variable === undefined ? undefined : process.env[variable];
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...(given ? [given] : []),
    ...names.flatMap((name) => [...folders, "/usr/bin"].map((folder) => join(folder, name))),
    ...paths,
  ];
  return candidates.find(isExecutable) ?? null;
}

/** Finds programs; as root on Debian the missing ones are installed. Throws what to install otherwise. */
export function requirePrograms(programs: readonly Program[]): string[] {
  installMissing(programs);
  return programs.map((program) => {
    const found = findProgram(program);
    if (found !== null) return found;
    const { title, debianPackage, variable } = program;
    const orSet = variable === undefined ? "" : `, or set ${variable}`;
    throw new Error(`${title} is missing: install the package ${debianPackage} (Debian, Ubuntu)${orSet}.`);
  });
}

/** As root on Debian: installs programs that are not there. */
export function installMissing(programs: readonly Program[]): void {
  const missing = programs.filter((program) => findProgram(program) === null);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return;
  installFromDebian([...new Set(missing.map(({ debianPackage }) => debianPackage))]);
}

function installFromDebian(packages: readonly string[]): void {
  console.log(`Missing programs: installing ${packages.join(", ")} with apt-get`);
  // A policy that forbids starts keeps the package's own service from taking a port.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  spawnSync("apt-get", ["update", "-q"], { stdio: "inherit", env });
  spawnSync("apt-get", ["install", "-qy", "--no-install-recommends", ...packages], { stdio: "inherit", env });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
