const MINUTE = 60_000;
const LOW_TIME = 2 * MINUTE;

/** Minutes left that are announced to screen readers; the end is announced as a state of its own. */
const ANNOUNCEMENT_MINUTES = [10, 5, 2, 1] as const;
export type AnnouncementMinutes = (typeof ANNOUNCEMENT_MINUTES)[number];

export type Countdown = {
  remainingMs: number;
  /** Share of the rate lock that is left, 0 to 1. */
  part: number;
  clock: string;
  tone: "accent" | "signal";
  isEnded: boolean;
};

/** What is left of the rate lock at `now` (milliseconds, the server's clock). */
export function countdown(createdAt: string, expiresAt: string, now: number): Countdown {
  const end = Date.parse(expiresAt);
  const whole = Math.max(1, end - Date.parse(createdAt));
  const remainingMs = Math.max(0, end - now);
  return {
    remainingMs,
    part: Math.min(1, remainingMs / whole),
    clock: clock(remainingMs),
    tone: remainingMs <= LOW_TIME ? "signal" : "accent",
    isEnded: remainingMs === 0,
  };
}

/** The mark that was passed between two looks at the clock, the lowest one when several were (a sleeping phone). */
export function announcementBetween(beforeMs: number, afterMs: number): AnnouncementMinutes | null {
  const passed = ANNOUNCEMENT_MINUTES.filter((minutes) => afterMs <= minutes * MINUTE && beforeMs > minutes * MINUTE);
  return passed.at(-1) ?? null;
}

/** Started seconds count as whole, so that 00:00 is shown at the end and not before. */
function clock(remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1000);
  const pad = (value: number): string => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}
