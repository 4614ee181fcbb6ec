/** As `2026-11`, by UTC. */
const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The month that had ended last at a moment. */
export function endedMonth(at: Date): string {
  return monthOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1)));
}

/** When the month of a moment ends. */
export const endOfMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
