import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { startNodeProcess } from "./node-process.ts";

it("kills a node that ignores SIGTERM, within seconds", { timeout: 60_000 }, async () => {
  const node = await startNodeProcess({
    program: process.execPath,
    title: "test node",
    arguments: ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"],
    checkReady: () => wait(1_000),
  });
  const before = performance.now();
  await node.stop();
  expect(performance.now() - before).toBeLessThan(10_000);
});

it("reports what a node printed that ends before it answers", { timeout: 60_000 }, async () => {
  const dead = startNodeProcess({
    program: process.execPath,
    title: "test node",
    arguments: ["-e", "console.error('the port is taken'); process.exit(1)"],
    checkReady: async () => {
      await wait(100);
      throw new Error("no answer");
    },
  });
  await expect(dead).rejects.toThrow("test node did not start: the port is taken");
});
