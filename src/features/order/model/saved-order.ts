import * as z from "zod/mini";
import { orderSchema } from "#contract/order.ts";
import type { SavedOrder } from "../store.ts";

/** Orders that were saved before they had these fields. */
const olderSchema = z.looseObject({ offer: z.optional(z.nullable(z.looseObject({ at: z.string() }))) });

function complete(value: unknown): unknown {
  const older = olderSchema.safeParse(value);
  if (!older.success) return value;
  const { offer } = older.data;
  return {
    attention: null,
    review: null,
    isEmailConfirmed: true,
    ...older.data,
    offer: offer && { validUntil: offer.at, ...offer },
  };
}

const savedOrderSchema = z.pipe(z.transform(complete), orderSchema);
const keptSchema = z.object({
  order: savedOrderSchema,
  destinationAddress: z.string(),
  seenAt: z.iso.datetime(),
  userId: z.optional(z.number()),
});

/** The orders of what the device has saved; what another version wrote is left out instead of breaking the page. */
export function parseSavedOrders(value: unknown): SavedOrder[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => {
    const parsed = keptSchema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
