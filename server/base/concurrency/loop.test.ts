import { expect, it, onTestFinished, vi } from "vitest";
import { createLog } from "../logging/log.ts";
import { startLoop, throttle } from "./loop.ts";

const log = createLog({ level: "silent" });
const NEVER_MS = 3_600_000;

it("goes on after a turn that throws", async () => {
  let turns = 0;
  const loop = startLoop(
    "test",
    1,
    async () => {
      turns += 1;
      if (turns === 1) throw new Error("broken");
      return false;
    },
    log,
  );
  await vi.waitFor(() => expect(turns).toBeGreaterThan(2));
  await loop.stop();
});

it("turns again at once while there is more, and when it is woken in the middle of a turn", async () => {
  let turns = 0;
  const gate = Promise.withResolvers<void>();
  const loop = startLoop(
    "test",
    NEVER_MS,
    async () => {
      turns += 1;
      if (turns === 2) await gate.promise;
      return turns === 1;
    },
    log,
  );
  await vi.waitFor(() => expect(turns).toBe(2));
  loop.wake();
  gate.resolve();
  await vi.waitFor(() => expect(turns).toBe(3));
  await loop.stop();
});

it("lets the running turn end before it stops, and never starts another", async () => {
  const gate = Promise.withResolvers<void>();
  let ended = false;
  let turns = 0;
  const loop = startLoop(
    "test",
    1,
    async () => {
      turns += 1;
      await gate.promise;
      ended = true;
      return true;
    },
    log,
  );
  await vi.waitFor(() => expect(turns).toBe(1));
  const stopped = loop.stop();
  gate.resolve();
  await stopped;
  expect(ended).toBe(true);
  loop.wake();
  expect(turns).toBe(1);
});

it("turns when something is due, where that is before its interval", async () => {
  let turns = 0;
  const loop = startLoop("test", NEVER_MS, async () => ((turns += 1) < 3 ? 1 : NEVER_MS * 2), log);
  await vi.waitFor(() => expect(turns).toBe(3));
  await loop.stop();
});

it("asks for its interval after each turn", async () => {
  let turns = 0;
  const loop = startLoop(
    "test",
    () => (turns < 3 ? 1 : NEVER_MS),
    async () => {
      turns += 1;
      return false;
    },
    log,
  );
  await vi.waitFor(() => expect(turns).toBe(3));
  await loop.stop();
});

it("throttles: the first call at once, those in the gap as one after it", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let calls = 0;
  const throttled = throttle(100, () => void (calls += 1));
  for (let at = 0; at < 3; at += 1) throttled.call();
  expect(calls).toBe(1);
  vi.advanceTimersByTime(100);
  expect(calls).toBe(2);
  vi.advanceTimersByTime(1_000);
  expect(calls).toBe(2);
});
