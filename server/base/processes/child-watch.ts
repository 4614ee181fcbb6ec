import type { ChildProcess } from "node:child_process";
import { endOf } from "./child-keeper.ts";
import { childReportSchema, type ChildRequest } from "./child-messages.ts";
import type { Log } from "../logging/log.ts";

/** In unanswered pings, of which one is sent every so many milliseconds. */
export type WatchTiming = { everyMs: number; hungAfter: number; killedAfter: number };

/** A minute, and two. A worker's event loop answers while it waits for whatever it does: only one that is stopped or spins does not. */
export const WATCH: WatchTiming = { everyMs: 5_000, hungAfter: 12, killedAfter: 24 };

export type ChildWatch = { isAnswering(): boolean };

/**
 * Notices a child process that lives and does nothing: logs it, and kills it later, so that its supervisor starts another. It counts pings
 * rather than time, because this process may have been stopped itself.
 */
export function watchChild(child: ChildProcess, name: string, timing: WatchTiming, log: Log): ChildWatch {
  let unanswered = 0;
  let isAnswered = true;
  /** Until then it loads its code. */
  let hasBegun = false;
  const isAnswering = (): boolean => unanswered < timing.hungAfter;
  const details = () => ({ process: name, seconds: Math.round((unanswered * timing.everyMs) / 1_000) });

  child.on("message", (message) => {
    if (childReportSchema.safeParse(message).data?.kind !== "pong") return;
    if (hasBegun && !isAnswering()) log.warn(details(), "a process that hung answers again");
    hasBegun = true;
    isAnswered = true;
    unanswered = 0;
  });
  const ping: ChildRequest = { kind: "ping" };
  const timer = setInterval(() => {
    if (!isAnswered) unanswered += 1;
    if (hasBegun && unanswered === timing.hungAfter) log.error(details(), "a process no longer answers");
    if (unanswered === timing.killedAfter) {
      log.error(details(), "a process that does not answer is killed");
      child.kill("SIGKILL");
    }
    isAnswered = false;
    if (child.connected) child.send(ping, () => undefined);
  }, timing.everyMs).unref();
  void endOf(child).then(() => clearInterval(timer));
  return { isAnswering };
}
