/** Time in milliseconds that never runs back. */
export type SteadyTime = {
  now(): number;
  /** Moves up to a time that was reached before or elsewhere; a lower one changes nothing. */
  reach(mark: number): void;
  /** Goes on from a time that may be lower: an operator leads back what a wrong clock has moved ahead. */
  restart(mark: number): void;
};

/** The least pace: every deadline ends also while the system's clock is behind, which then catches up. */
const MIN_PACE = 0.9;

/**
 * Follows the system's clock forward and never back: one that is set back would revive quotes, offers and rate locks that have ended
 * (engine law 13). While it is behind, time goes on by a monotonic clock, a tenth slower.
 */
export function createSteadyTime(
  system: () => number = Date.now,
  monotonic: () => number = () => performance.now(),
): SteadyTime {
  let last = system();
  let lastTick = monotonic();

  const now = (): number => {
    const tick = monotonic();
    last = Math.max(system(), last + (tick - lastTick) * MIN_PACE);
    lastTick = tick;
    return last;
  };

  return {
    now,
    reach: (mark) => {
      last = Math.max(now(), mark);
    },
    restart: (mark) => {
      last = mark;
      lastTick = monotonic();
    },
  };
}
