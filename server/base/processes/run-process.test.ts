import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runProcess } from "./run-process.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it.each([
  [undefined, 29_000, 31_000],
  [60_000, 89_000, 91_000],
])(
  "a stop whose closes wait %s ms on purpose may take 30 s more, and is cut off then",
  async (waitMs, before, after) => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    let stop = () => {};
    await runProcess(
      async (closers) => {
        closers.add(async () => undefined);
        closers.add(() => new Promise<void>(() => {}), waitMs);
        return {};
      },
      (onStop) => (stop = onStop),
    );
    stop();
    await vi.advanceTimersByTimeAsync(before);
    expect(exit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(after - before);
    expect(exit).toHaveBeenCalledWith(1);
    expect(said.mock.calls.join()).toMatch(/2 steps are left/);
  },
);
