import { expect, test } from "vitest";
import { createBroadcasts } from "./broadcasts.ts";

const LONG_MS = 60_000;

test("a message counts once everyone has it, timed from its first arrival", async () => {
  const broadcasts = createBroadcasts(4);
  const result = broadcasts.next(1_000, LONG_MS);
  for (const at of [1_010, 1_020, 1_030, 1_060]) broadcasts.take("rate", at);
  await expect(result).resolves.toEqual({ perSecond: 80, p50: 10, p99: 50 });
});

test("a message that was sent before, and one that skips a listener, are not counted", async () => {
  const broadcasts = createBroadcasts(2);
  broadcasts.take("older", 900);
  const result = broadcasts.next(1_000, LONG_MS);
  broadcasts.take("older", 1_005);
  broadcasts.take("incomplete", 1_010);
  broadcasts.take("whole", 1_020);
  broadcasts.take("whole", 1_030);
  await expect(result).resolves.toMatchObject({ p99: 10 });
});

test("a message that never reaches everyone ends the wait", async () => {
  const broadcasts = createBroadcasts(2);
  const result = broadcasts.next(0, 1);
  broadcasts.take("rate", 1);
  await expect(result).rejects.toThrow("did not reach all 2 sockets");
});
