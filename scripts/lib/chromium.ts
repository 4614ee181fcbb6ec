import { requirePrograms, type Program } from "./programs.ts";

export const CHROMIUM: Program = {
  title: "Chromium, which the browser tests need,",
  names: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
  paths: [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
  variable: "CHROME_PATH",
  debianPackage: "chromium",
};

/** The path of Chromium; as root on Debian a missing one is installed. Throws what to install otherwise. */
export function requireChromium(): string {
  const [path] = requirePrograms([CHROMIUM]);
  if (path === undefined) throw new Error("no path of Chromium was found");
  return path;
}
