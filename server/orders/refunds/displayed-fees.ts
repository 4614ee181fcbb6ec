import type { Minor } from "#contract/money.ts";

const MAX_ORDERS = 5_000;
/** As many as can be new within ten minutes: whoever else knows the id makes an order's owner lose none. */
const MAX_FEES = 40;

/**
 * Refund fees that this process has displayed by an order's id alone. Showing one binds nothing: it counts only where a refund is asked for
 * with that very fee, by somebody who knows the address too, in the time for which a quoted fee holds (contract §3).
 */
export type DisplayedFees = {
  add(orderId: string, fee: Minor<"from">, at: Date): void;
  wasDisplayed(orderId: string, fee: bigint, now: Date): boolean;
};

export function createDisplayedFees(validMs: number): DisplayedFees {
  /** Of each order its fees, and of all the orders, oldest first. */
  const displayed = new Map<string, Map<bigint, Date>>();
  return {
    add(orderId, fee, at) {
      const fees = displayed.get(orderId) ?? new Map<bigint, Date>();
      displayed.delete(orderId);
      displayed.set(orderId, fees);
      fees.delete(fee);
      fees.set(fee, at);
      dropOldest(fees, MAX_FEES);
      dropOldest(displayed, MAX_ORDERS);
    },
    wasDisplayed(orderId, fee, now) {
      const at = displayed.get(orderId)?.get(fee);
      return at !== undefined && now.getTime() - at.getTime() <= validMs;
    },
  };
}

function dropOldest<Key>(map: Map<Key, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
