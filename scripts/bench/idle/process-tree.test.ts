import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { processesBelow } from "./process-tree.ts";

it("finds the processes below one, with their time and memory", async () => {
  const script = "while (process.cpuUsage().user < 300_000); console.log('done'); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const found = processesBelow(process.pid).find(({ pid }) => pid === child.pid);
  expect(found?.cpuSeconds).toBeGreaterThanOrEqual(0.2);
  expect(found?.rssBytes).toBeGreaterThan(10_000_000);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(processesBelow(process.pid).some(({ pid }) => pid === child.pid)).toBe(false);
});
