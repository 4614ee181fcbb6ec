import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import type { WatchTiming } from "./child-watch.ts";
import { commandOfProcess } from "./process-identity.ts";
import { superviseChild } from "./supervised-child.ts";
import { createLog } from "../logging/log.ts";
import { StartupError } from "./startup-error.ts";

const FOLLOW = new URL("./parent-process.ts", import.meta.url).href;
const RUN = new URL("./run-process.ts", import.meta.url).href;
const LIMITS = { firstMs: 10, maxMs: 1_000, stopMs: 20_000 };

/** Keeps a process that runs the script; `logged` are the pauses before its restarts. */
async function keep(script: string, limits = LIMITS, watch?: WatchTiming) {
  const folder = mkdtempSync(join(tmpdir(), "wherry-child-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "child.mjs");
  writeFileSync(file, script);
  const logged: number[] = [];
  const messages: string[] = [];
  const destination = {
    write: (line: string) => {
      const { pauseMs, msg }: { pauseMs?: number; msg: string } = JSON.parse(line);
      if (pauseMs !== undefined) logged.push(pauseMs);
      messages.push(msg);
    },
  };
  const log = createLog({ level: "error", destination });
  const entry = pathToFileURL(file);
  const child = await superviseChild({ name: "test", entry, env: process.env, log, limits, ...(watch && { watch }) });
  return { child, logged, messages };
}

it("a process that ends before it is ready is a failed start", async () => {
  await expect(keep("process.exit(3)")).rejects.toThrow(StartupError);
  await expect(keep("process.exit(3)")).rejects.toThrow("exit code 3");
});

it("one that dies again and again is restarted with growing pauses, until it is stopped", async () => {
  const script = "process.send({ kind: 'ready' }); setTimeout(() => process.exit(1), 5)";
  // On a busy machine a process takes a second to start, which must not count as having stayed up.
  const { child, logged } = await keep(script, { ...LIMITS, maxMs: 60_000 });
  await eventually("several restarts", () => child.restarts() >= 4 || null);
  await child.stop();
  expect(logged.slice(0, 4)).toEqual([10, 20, 40, 80]);
  expect(child.isUp()).toBe(false);
});

it("one that follows its parent answers, ignores signals, and ends when it is stopped", async () => {
  const { child } = await keep(`
    import { followParent } from ${JSON.stringify(FOLLOW)};
    const parent = followParent();
    parent.on("metrics", () => parent.report({ kind: "metrics", text: String(process.pid) }));
    parent.on("stop", () => process.exit(0));
    process.send({ kind: "something else" });
    parent.report({ kind: "ready" });`);
  const pid = Number(await child.metrics());
  process.kill(pid, "SIGTERM");
  process.kill(pid, "SIGINT");
  expect(await child.metrics()).toBe(String(pid));
  expect(child.isUp()).toBe(true);
  await child.stop();
  expect(commandOfProcess(pid)).toBeNull();
  expect(child.restarts()).toBe(0);
});

it("one that hangs is killed when it should have stopped, and shows no metrics", async () => {
  const script = "process.send({ kind: 'ready' }); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  const { child } = await keep(script, { ...LIMITS, stopMs: 50 });
  expect(await child.metrics()).toBeNull();
  await child.stop();
  expect(child.isUp()).toBe(false);
  expect(child.restarts()).toBe(0);
});

it("one whose start fails ends, though it follows its parent, and is restarted until it succeeds", async () => {
  const starting = (condition: string) => `
    import { existsSync, writeFileSync } from "node:fs";
    import { followParent } from ${JSON.stringify(FOLLOW)};
    import { runProcess } from ${JSON.stringify(RUN)};
    const count = (name) => { const is = existsSync(import.meta.dirname + name); writeFileSync(import.meta.dirname + name, ""); return is; };
    const parent = followParent();
    await runProcess(async () => {
      if (${condition}) throw new Error("the database is away");
      return {};
    }, (stop) => parent.on("stop", stop));
    parent.report({ kind: "ready" });
    if (!count("/died")) setTimeout(() => process.exit(1), 5);`;
  await expect(keep(starting("true"))).rejects.toThrow("exit code 1");
  // The second start of three fails.
  const { child } = await keep(starting('existsSync(import.meta.dirname + "/died") && !count("/failed")'));
  await eventually("the third start", () => (child.restarts() === 2 && child.isUp()) || null);
  await child.stop();
});

const ANSWERS = `
    import { followParent } from ${JSON.stringify(FOLLOW)};
    const parent = followParent();
    parent.on("metrics", () => parent.report({ kind: "metrics", text: String(process.pid) }));
    parent.on("stop", () => process.exit(0));
    parent.report({ kind: "ready" });`;

it("one that lives and does nothing is down until it answers again, and is reported once", async () => {
  const { child, messages } = await keep(ANSWERS, LIMITS, { everyMs: 20, hungAfter: 150, killedAfter: 1_000_000 });
  const pid = Number(await child.metrics());
  expect(child.isUp()).toBe(true);
  process.kill(pid, "SIGSTOP");
  try {
    await eventually("it is noticed", () => !child.isUp() || null);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await eventually("it answers again", () => child.isUp() || null);
  expect(messages).toEqual(["a process no longer answers"]);
  expect([await child.metrics(), child.restarts()]).toEqual([String(pid), 0]);
  await child.stop();
});

it("one that hangs for too long is killed, and another one takes its place", async () => {
  const { child, messages } = await keep(ANSWERS, LIMITS, { everyMs: 20, hungAfter: 150, killedAfter: 300 });
  const pid = Number(await child.metrics());
  process.kill(pid, "SIGSTOP");
  await eventually("another one runs", () => (child.restarts() > 0 && child.isUp()) || null);
  expect(messages.slice(0, 3)).toEqual([
    "a process no longer answers",
    "a process that does not answer is killed",
    "a process has died and will be restarted",
  ]);
  expect(Number(await child.metrics())).not.toBe(pid);
  await child.stop();
});
