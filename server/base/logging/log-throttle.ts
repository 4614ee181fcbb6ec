/** Whether a line about something is due: at once, and again each time the interval has passed while it lasts. */
export type LogThrottle = (what: string) => boolean;

/** For what is found again every few seconds, by each of many: one line and a reminder say as much, and a log stays readable. */
export function createLogThrottle(intervalMs: number, now: () => number = () => performance.now()): LogThrottle {
  const saidAt = new Map<string, number>();
  return (what) => {
    const at = now();
    for (const [known, since] of saidAt) if (at - since >= intervalMs) saidAt.delete(known);
    if (saidAt.has(what)) return false;
    saidAt.set(what, at);
    return true;
  };
}

/** How often a log says again that payments are stopped. */
export const STOP_REMINDER_MS = 600_000;
