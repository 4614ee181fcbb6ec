import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { acquireLock, FolderInUseError } from "./lock-file.ts";

// The real file system, whose next link can be delayed, as in a process that loses the CPU.
const pause = vi.hoisted((): { next: PromiseWithResolvers<void> | null } => ({ next: null }));
vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  return {
    ...real,
    link: async (from: string, to: string): Promise<void> => {
      const waiting = pause.next;
      pause.next = null;
      await waiting?.promise;
      await real.link(from, to);
    },
  };
});

test("an attempt that sleeps between its check and its lock fails when another owner came in between", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wherry-race-"));
  await writeFile(join(folder, "owner.1"), JSON.stringify({ pid: process.pid, start: "another boot/1" }));

  const wakeUp = Promise.withResolvers<void>();
  pause.next = wakeUp;
  const sleeper = acquireLock(folder, "owner");
  await expect.poll(() => pause.next).toBeNull();

  const passing = await acquireLock(folder, "owner");
  await passing.release();
  const owner = await acquireLock(folder, "owner");
  expect(await readdir(folder)).not.toContain("owner.2");
  wakeUp.resolve();
  await expect(sleeper).rejects.toThrow(FolderInUseError);

  await owner.release();
  await (await acquireLock(folder, "owner")).release();
  await rm(folder, { recursive: true });
});
