import type { Log } from "../log.ts";
import type { Boards } from "./board.ts";

const LOOK_EVERY_MS = 1_000;

/** Keeps up with the boards that another process makes; a process that makes its own needs none. */
export function startBoardReader(boards: Boards, log: Log, everyMs: number = LOOK_EVERY_MS): { stop(): Promise<void> } {
  let looking: Promise<void> | null = null;
  const look = () => {
    looking ??= boards
      .refresh()
      .catch((error: unknown) => log.warn({ err: error }, "the newest board could not be read"))
      .finally(() => {
        looking = null;
      });
  };
  look();
  const timer = setInterval(look, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
