import { expect, it } from "vitest";
import { type Seen, signalOf, type UpdateSignal } from "./update-signal.ts";

it.each<[newest: string | null, worker: string, chunk: string, UpdateSignal]>([
  ["own", "no worker", "all chunks", "none"],
  ["own", "no worker", "a chunk gone", "none"],
  ["own", "a worker waits", "all chunks", "let the worker take over"],
  ["own", "a worker waits", "a chunk gone", "let the worker take over"],
  ["other", "no worker", "all chunks", "offered"],
  ["other", "a worker waits", "all chunks", "offered"],
  ["other", "no worker", "a chunk gone", "needed"],
  ["other", "a worker waits", "a chunk gone", "needed"],
  [null, "no worker", "all chunks", "none"],
  [null, "no worker", "a chunk gone", "none"],
  [null, "a worker waits", "all chunks", "offered"],
  [null, "a worker waits", "a chunk gone", "offered"],
])("newest %s, %s, %s: %s", (newest, worker, chunk, expected) => {
  const seen: Seen = {
    own: "own",
    newest,
    isWorkerWaiting: worker === "a worker waits",
    isChunkGone: chunk === "a chunk gone",
  };
  expect(signalOf(seen)).toBe(expected);
});
