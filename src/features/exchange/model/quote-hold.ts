import type { PairData } from "#contract/rate.ts";

/** How long a fixed quote holds, by its own two times, because the device's clock may be wrong; 0 for a floating one. */
export const heldMs = ({ validUntil, updatedAt }: Pick<PairData, "validUntil" | "updatedAt">): number =>
  validUntil == null ? 0 : Math.max(0, Date.parse(validUntil) - Date.parse(updatedAt));
