import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { openLastingSession } from "./lasting-session.ts";

const BEAT_MS = 2_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
afterEach(() => vi.useRealTimers());

it("a session is asked whether it lives where nothing else has shown that since the last beat", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const onLost = vi.fn<(error: unknown) => void>();
  const session = await openLastingSession(database.url, "test", onLost, BEAT_MS);
  onTestFinished(() => session.end());
  const sent = vi.spyOn(session.client, "query");
  const beats = () => sent.mock.calls.filter(([text]) => text === "select 1").length;

  await session.query("select 2");
  vi.advanceTimersByTime(BEAT_MS);
  await session.query("select 3");
  vi.advanceTimersByTime(BEAT_MS);
  expect(beats()).toBe(0);

  vi.advanceTimersByTime(BEAT_MS);
  await vi.waitFor(() => expect(beats()).toBe(1), 10_000);
  // A query of its own runs after the beat.
  await session.query("select 4");
  vi.advanceTimersByTime(2 * BEAT_MS);
  await vi.waitFor(() => expect(beats()).toBe(2), 10_000);
  expect(onLost).not.toHaveBeenCalled();
});
