import { safeText } from "./log.ts";
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
    for (const close of open.splice(0).reverse()) await close();
  };
  const starting = begin(start, closers, closeAll);
  let isStopping = false;
  onStop(() => {
    if (!isStopping) void stopAfter(starting, closeAll, () => STOP_TIMEOUT_MS + waitsMs);
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
  closeAll: () => Promise<void>,
  timeoutMs: () => number,
): Promise<void> {
  const exitAfter = (ms: number) => setTimeout(() => process.exit(1), ms).unref();
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

/** An error that the operator can act on is its message; any other is a defect and keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return safeText(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
