import { safeText } from "../logging/log.ts";
import { StartupError } from "./startup-error.ts";

const STOP_TIMEOUT_MS = 30_000;

/** Closes what was opened, newest first. `waitMs`: how long a close waits on purpose, which a stop allows for. */
export type Closers = { add(close: () => Promise<void>, waitMs?: number): void };

/**
 * Runs a program until it is asked to stop; a failed start closes what it had opened, and one that is asked to stop meanwhile ends first.
 * Resolves to what `start` returns; a failure is written to stderr and ends the process with 1.
 */
export async function runProcess<Started extends object>(
  start: (closers: Closers) => Promise<Started>,
  /** Calls back when the process is to stop. */
  onStop: (stop: () => void) => void,
): Promise<Started> {
  const open: (() => Promise<void>)[] = [];
  let waitsMs = 0;
  const closers: Closers = {
    add: (close, waitMs = 0) => {
      open.push(close);
      waitsMs += waitMs;
    },
  };
  const closeAll = async () => {
    for (let close = open.at(-1); close !== undefined; close = open.at(-1)) {
      await close();
      open.pop();
    }
  };
  const stopping = { closeAll, timeoutMs: () => STOP_TIMEOUT_MS + waitsMs, left: () => open.length };
  const starting = begin(start, closers, closeAll);
  let isStopping = false;
  onStop(() => {
    if (!isStopping) void stopAfter(starting, stopping);
    isStopping = true;
  });
  try {
    return await starting;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    // Not left to an empty event loop: a channel to another process, or whatever could not be closed, would keep it alive for ever.
    process.exit(1);
  }
}

async function begin<Started>(
  start: (closers: Closers) => Promise<Started>,
  closers: Closers,
  closeAll: () => Promise<void>,
): Promise<Started> {
  try {
    return await start(closers);
  } catch (error) {
    // What hangs while it is closed must not keep a process that has failed.
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await closeAll();
    throw error;
  }
}

/** A stop during the start waits for its end, so that everything is closed in order. */
async function stopAfter(
  starting: Promise<unknown>,
  { closeAll, timeoutMs, left }: { closeAll(): Promise<void>; timeoutMs(): number; left(): number },
): Promise<void> {
  const exitAfter = (ms: number) => setTimeout(() => exitByForce(ms, left()), ms).unref();
  const startTimer = exitAfter(timeoutMs());
  try {
    await starting;
    clearTimeout(startTimer);
    exitAfter(timeoutMs());
    await closeAll();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

/** What is still open says to whoever reads the log what hung. */
function exitByForce(afterMs: number, left: number): void {
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  const open = [...kinds].map(([kind, all]) => `${all.length} ${kind}`).join(", ");
  process.stderr.write(
    `not closed within ${afterMs} ms: ${left} steps are left, and open are ${open}; ended by force\n`,
  );
  process.exit(1);
}

/** An error that the operator can act on is its message; any other is a defect and keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return safeText(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
