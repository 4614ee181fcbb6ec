import { findProgram, installMissing, requirePrograms, type Program } from "./programs.ts";

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

/** Chromium's engine without the browser around it, which a page costs half the processor time. */
const HEADLESS_SHELL: Program = {
  title: "Chromium's headless shell",
  names: ["chromium-headless-shell"],
  variable: "CHROME_PATH",
  debianPackage: "chromium-headless-shell",
};

/** The path of Chromium; as root on Debian a missing one is installed. Throws what to install otherwise. */
export function requireChromium(): string {
  const [path] = requirePrograms([CHROMIUM]);
  if (path === undefined) throw new Error("no path of Chromium was found");
  return path;
}

/**
 * The path of the headless shell, or of Chromium where there is none.
 * @internal
 */
export const lightestChromium = (): string => findProgram(HEADLESS_SHELL) ?? requireChromium();

/** Installs what `lightestChromium` prefers, as root on Debian. Nothing needs it: a failure leaves Chromium. */
export const installLightestChromium = (): void => installMissing([HEADLESS_SHELL]);
