import * as z from "zod/mini";

/** Which part of a list is asked for (contract §1): 20 from the start, at most 100 at once. */
export const pageQuerySchema = z.object({
  offset: z._default(z.string().check(z.regex(/^\d{1,9}$/, "must be a number from 0")), "0"),
  limit: z._default(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, "must be a number from 1 to 100")), "20"),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** Of a list that goes on from its last row: the `nextCursor` of the part before, and how many at once. */
export const cursorQuerySchema = z.object({
  cursor: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,32}$/, "must be the nextCursor of an answer"))),
  limit: pageQuerySchema.shape.limit,
});

/** A part of a list, and how many items the whole has. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item), total: z.int() });
