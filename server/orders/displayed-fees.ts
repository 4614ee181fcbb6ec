import type { Minor } from "#contract/money.ts";

const MAX_ORDERS = 5_000;

/**
 * Refund fees that this process has shown by an order's id alone. Showing one binds nothing: it counts only where a refund is asked for
 * with that very fee, by somebody who knows the address too, in the time for which a quoted fee holds (contract §3).
 */
export type DisplayedFees = {
  add(orderId: string, fee: Minor<"from">, at: Date): void;
  wasDisplayed(orderId: string, fee: bigint, now: Date): boolean;
};

export function createDisplayedFees(validMs: number): DisplayedFees {
  /** Oldest first. */
  const shown = new Map<string, { fee: bigint; at: Date }>();
  return {
    add(orderId, fee, at) {
      shown.delete(orderId);
      shown.set(orderId, { fee, at });
      const [oldest] = shown.keys();
      if (shown.size > MAX_ORDERS && oldest !== undefined) shown.delete(oldest);
    },
    wasDisplayed(orderId, fee, now) {
      const last = shown.get(orderId);
      return last !== undefined && last.fee === fee && now.getTime() - last.at.getTime() <= validMs;
    },
  };
}
