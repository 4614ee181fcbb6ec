import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const MAC_APPS = ["Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome"];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** CHROME_PATH, else the usual names on the PATH. */
function findChromium(): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...(process.env["CHROME_PATH"] ? [process.env["CHROME_PATH"]] : []),
    ...NAMES.flatMap((name) => [...folders, "/usr/bin"].map((folder) => join(folder, name))),
    ...MAC_APPS.map((app) => join("/Applications", app)),
  ];
  return candidates.find(isProgram) ?? null;
}

/** Finds Chromium; as root on Debian a missing one is installed. Throws what to install otherwise. */
export function requireChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    console.log("Chromium is missing: installing it with apt-get");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-q"], { stdio: "inherit", env });
    spawnSync("apt-get", ["install", "-qy", "--no-install-recommends", "chromium"], { stdio: "inherit", env });
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    "The browser tests need Chromium: install the package chromium (Debian, Ubuntu, Homebrew), or set CHROME_PATH.",
  );
}
