import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { StartupError } from "../../base/processes/startup-error.ts";

const ARCHITECTURES: Record<string, string> = { x64: "amd64", arm64: "arm64" };

/** The path of the anvil program: from the npm package of this platform, else from the PATH. Throws when there is none. */
export function findAnvil(): string {
  const found = [...fromPackage(), ...fromPath()].find(isExecutable);
  if (found !== undefined) return found;
  throw new DevnetError(
    "The local Ethereum devnet needs anvil, and npm has none for this platform. Install Foundry (https://getfoundry.sh) so that `anvil` is on the PATH, or set SANDBOX=off.",
  );
}

function fromPackage(): string[] {
  const name = `@foundry-rs/anvil-${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`;
  try {
    return [join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "bin", "anvil")];
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return [];
    throw error;
  }
}

const fromPath = (): string[] =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, "anvil"));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** The devnet can't be used, for a reason that the operator can act on; the message names it. */
export class DevnetError extends StartupError {
  override name = "DevnetError";
}
