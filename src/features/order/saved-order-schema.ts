import * as z from "zod/mini";
import { orderSchema } from "#contract/order.ts";
import type { SavedOrder } from "./store.ts";

const keptSchema = z.object({ order: orderSchema, destinationAddress: z.string(), seenAt: z.iso.datetime() });

/** The orders of what the device has saved; what another version wrote is left out instead of breaking the page. */
export function parseSavedOrders(value: unknown): SavedOrder[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => {
    const parsed = keptSchema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
