import * as z from "zod/mini";

/** Which part of a list is asked for (contract §1): 20 from the start, at most 100 at once. */
export const pageQuerySchema = z.object({
  offset: z._default(z.string().check(z.regex(/^\d{1,9}$/, "must be a number from 0")), "0"),
  limit: z._default(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, "must be a number from 1 to 100")), "20"),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** A part of a list, and how many items the whole has. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item), total: z.int() });
