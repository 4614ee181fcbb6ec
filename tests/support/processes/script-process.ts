import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface ScriptProcess {
  pid: number;
  child: ChildProcess;
  /** The lines printed so far. */
  lines: string[];
  /** The first line, printed already or not yet, that fits; rejects when the process ends without it. */
  line(pattern: RegExp): Promise<string>;
  /** The exit code, or null after a signal. */
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const started = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL");
});

/** Runs TypeScript in a Node process of its own; `#root/…` imports are paths from the top of the repository. */
export function startScript(script: string, args: readonly string[], options: SpawnOptions = {}): ScriptProcess {
  const source = script.replaceAll("#root/", repository);
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", source, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    ...options,
  });
  started.add(child);
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) throw new Error("the script could not be started");

  const lines: string[] = [];
  const reader = createInterface({ input: stdout });
  reader.on("line", (line) => lines.push(line));
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      started.delete(child);
      resolve(code);
    });
  });
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const search = (): void => {
        const found = lines.find((printed) => pattern.test(printed));
        if (found !== undefined) resolve(found);
      };
      reader.on("line", search);
      search();
      void ended.then((code) =>
        reject(new Error(`the script ended (${code}) without ${pattern}: ${lines.join(" | ")}`)),
      );
    });
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return { pid, child, lines, line, ended, kill };
}
