import { spawn, type SpawnOptions } from "node:child_process";
import { resolve } from "node:path";

/** The top level of the repository. */
export const root = resolve(import.meta.dirname, "../..");

/**
 * Runs a program with the Node that runs this script (an older one may be first on the PATH) and gives its exit code;
 * a program that a signal ended counts as failed. A SIGTERM is passed on; Ctrl-C reaches the program by itself, and both
 * are waited for.
 */
export function runNode(args: string[], options: SpawnOptions = {}): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", ...options });
    const passOn = () => child.kill("SIGTERM");
    const wait = () => undefined;
    process.on("SIGTERM", passOn).on("SIGINT", wait);
    const forget = () => process.off("SIGTERM", passOn).off("SIGINT", wait);
    child.once("error", (error) => {
      forget();
      fail(error);
    });
    child.once("exit", (code) => {
      forget();
      done(code ?? 1);
    });
  });
}
