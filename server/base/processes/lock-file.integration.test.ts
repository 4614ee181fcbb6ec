import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startScript, type ScriptProcess } from "../../../tests/support/processes/script-process.ts";
import { acquireLock, FolderInUseError, lockDataDir } from "./lock-file.ts";
import { startOfProcess } from "./process-identity.ts";

let folder: string;
let running: ScriptProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wherry-lock-"));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((app) => app.kill("SIGKILL")));
  await rm(folder, { recursive: true });
});

const lockingApp = `
  import { lockDataDir } from "#root/server/base/processes/lock-file.ts";
  await new Promise((resolve) => process.stdin.once("data", resolve));
  try {
    await lockDataDir(process.argv[1]);
    console.log("locked");
    setInterval(() => undefined, 1000);
  } catch (error) {
    console.log("refused " + error.message);
    process.exit(1);
  }
`;

function startApp(as: { uid?: number; gid?: number } = {}): ScriptProcess {
  const app = startScript(lockingApp, [folder], as);
  running.push(app);
  return app;
}

function go(app: ScriptProcess): void {
  app.child.stdin?.write("go\n");
}

async function startedApp(): Promise<ScriptProcess> {
  const app = startApp();
  go(app);
  await app.line(/^locked/);
  return app;
}

describe("a second start", () => {
  test("is refused with the pid of the first, which goes on", async () => {
    const first = await startedApp();
    const second = startApp();
    go(second);
    const refusal = await second.line(/^refused/);
    expect(refusal).toContain(`already running on the data folder ${folder} (process ${first.pid})`);
    expect(await second.ended).toBe(1);
    expect(startOfProcess(first.pid)).not.toBeNull();
    await expect(lockDataDir(folder)).rejects.toThrow(FolderInUseError);
  });

  test("takes over from one that was killed", async () => {
    const first = await startedApp();
    await first.kill("SIGKILL");
    const second = await startedApp();
    expect(second.lines).toEqual(["locked"]);
  });

  test("takes over from one whose pid belongs to another program by now", async () => {
    await writeFile(join(folder, "owner.1"), JSON.stringify({ pid: process.pid, start: "another boot/1" }));
    const lock = await lockDataDir(folder);
    await lock.release();
  });

  test("gets the lock after a release, and the folder stays tidy", async () => {
    for (let round = 0; round < 3; round++) {
      const lock = await lockDataDir(folder);
      await expect(lockDataDir(folder)).rejects.toThrow(FolderInUseError);
      await lock.release();
    }
    expect(await readdir(folder)).toHaveLength(1);
  });

  test.each(["", "not json", "null", "{}"])(
    "an owner file that a power cut left as %j does not stop it",
    async (content) => {
      await writeFile(join(folder, "owner.1"), content);
      await (await lockDataDir(folder)).release();
    },
  );
});

describe("simultaneous starts", () => {
  test("exactly one of eight processes gets the lock, after a killed one too", async () => {
    let previous = 0;
    for (let round = 0; round < 3; round++) {
      const apps = Array.from({ length: 8 }, () => startApp());
      for (const app of apps) go(app);
      const said = await Promise.all(apps.map((app) => app.line(/^(locked|refused)/)));
      const winners = apps.filter((_app, index) => said[index] === "locked");
      expect(winners).toHaveLength(1);
      expect(winners[0]?.pid).not.toBe(previous);
      expect(said.filter((line) => line.includes(`(process ${winners[0]?.pid})`))).toHaveLength(7);
      previous = winners[0]?.pid ?? 0;
      await Promise.all(apps.map((app) => app.kill("SIGKILL")));
    }
  });

  test("exactly one of many attempts that find the same dead owner succeeds", async () => {
    for (let round = 1; round <= 40; round++) {
      const name = `owner-${round}`;
      await writeFile(join(folder, `${name}.7`), JSON.stringify({ pid: process.pid, start: "another boot/1" }));
      const attempts = await Promise.allSettled(Array.from({ length: 25 }, () => acquireLock(folder, name)));
      expect(attempts.filter((attempt) => attempt.status === "fulfilled")).toHaveLength(1);
      for (const attempt of attempts) {
        if (attempt.status === "rejected") expect(attempt.reason).toBeInstanceOf(FolderInUseError);
      }
    }
  });
});

test("creates a missing DATA_DIR that other users can enter but not list", async () => {
  const missing = join(folder, "deep", ".data");
  const lock = await lockDataDir(missing);
  expect((await stat(missing)).mode & 0o777).toBe(0o711);
  await lock.release();
});

test.runIf(process.getuid?.() === 0)("it works for a user who is not root", async () => {
  const nobody = { uid: 65_534, gid: 65_534 };
  await chown(folder, nobody.uid, nobody.gid);
  const first = startApp(nobody);
  go(first);
  await first.line(/^locked/);
  const second = startApp(nobody);
  go(second);
  expect(await second.line(/^refused/)).toContain(`(process ${first.pid})`);
});

test.runIf(process.platform === "linux")("a zombie counts as dead", async () => {
  const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [chunk] = await once(parent.stdout, "data");
    const pid = Number(String(chunk));
    // A shell reaps its children; `sleep`, which replaces it, does not.
    await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
    expect(startOfProcess(pid)).not.toBeNull();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => startOfProcess(pid)).toBeNull();
    expect(process.kill(pid, 0)).toBe(true);
  } finally {
    parent.kill("SIGKILL");
  }
});
