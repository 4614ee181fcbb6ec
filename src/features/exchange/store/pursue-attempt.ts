import { type Attempt, readAttempt } from "./attempt.ts";
import { type Outcome, sendAttempt, type SendOrder } from "./send-attempt.ts";

/** As the health check of spec §9 begins, backs off and ends. */
const FIRST_PAUSE_MS = 2_000;
const FACTOR = 1.5;
const LONGEST_PAUSE_MS = 30_000;

type Pursuit = { readonly signal: AbortSignal; readonly onUnanswered: () => void };

/**
 * Asks for the same order again and again until it is answered, at once when the network comes back. Null when it was given up by the signal, which `send` must follow too: what is kept then stays for the next press.
 */
export async function pursueAttempt(
  first: Attempt,
  send: SendOrder,
  { signal, onUnanswered }: Pursuit,
): Promise<Outcome | null> {
  try {
    let attempt = first;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * FACTOR, LONGEST_PAUSE_MS)) {
      const outcome = await sendAttempt(attempt, send);
      if ("order" in outcome || outcome.failure.kind !== "outcome-unknown") return outcome;
      onUnanswered();
      await pauseOrOnline(pauseMs, signal);
      signal.throwIfAborted();
      attempt = readAttempt() ?? attempt;
    }
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function pauseOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      globalThis.removeEventListener("online", finish);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    globalThis.addEventListener("online", finish);
    signal.addEventListener("abort", finish);
  });
}
