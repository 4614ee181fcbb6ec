import * as z from "zod/mini";
import { momentSchema } from "../fields.ts";
import { orderSchema } from "../order.ts";
import { pageOf, pageQuerySchema } from "../paging.ts";

// What calls about an account's orders take and answer (contract §8).

/** `OPEN` goes on or waits; the others are over. */
export const ORDER_STATES = ["OPEN", "COMPLETED", "REFUNDED", "EXPIRED"] as const;
export type OrderStateFilter = (typeof ORDER_STATES)[number];

/** How many ids a query may name; a device saves far fewer. */
const MAX_IDS = 100;
const ID_LIST = new RegExp(`^[A-Za-z0-9]{1,64}(?:,[A-Za-z0-9]{1,64}){0,${MAX_IDS - 1}}$`);

/** No reference and no name of a coin is longer. */
const MAX_SEARCH = 64;

/** Each narrows the list: by state, by the time of creation (`from` included, `to` not, unless it is a day), to these ids, to what `search` begins:
 * the reference, or the ticker or name of either coin. */
const filterFields = {
  state: z.optional(z.enum(ORDER_STATES)),
  from: z.optional(momentSchema),
  to: z.optional(momentSchema),
  search: z.optional(z.string().check(z.maxLength(MAX_SEARCH))),
  orderIds: z.optional(z.string().check(z.regex(ID_LIST, `must be up to ${MAX_IDS} ids between commas`))),
};
export const orderFilterSchema = z.object(filterFields);
export type OrderFilter = z.infer<typeof orderFilterSchema>;
export const orderHistoryQuerySchema = z.extend(pageQuerySchema, filterFields);
export type OrderHistoryQuery = z.infer<typeof orderHistoryQuerySchema>;

export const orderHistorySchema = pageOf(orderSchema);
export type OrderHistory = z.infer<typeof orderHistorySchema>;
