import { expect, it } from "vitest";
import * as z from "zod/mini";
import "./validation-messages.ts";

const reasonOf = (schema: z.ZodMiniType, given: unknown) => schema.safeParse(given).error?.issues[0]?.message;

it.each([
  [z.string(), undefined, "is missing"],
  [z.string(), 5, "must be a text"],
  [z.number(), "5", "must be a number"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), "true", "must be true or false"],
  [z.array(z.string()), {}, "must be a list"],
  [z.object({}), [], "must be an object"],
  [z.literal("FIXED"), "fixed", 'must be "FIXED"'],
  [z.enum(["FIXED", "FLOATING"]), "", 'must be one of "FIXED", "FLOATING"'],
  [z.string().check(z.minLength(10)), "short", "must have at least 10 characters"],
  [z.string().check(z.maxLength(2)), "long", "must have at most 2 characters"],
  [z.array(z.string()).check(z.maxLength(1)), ["a", "b"], "must have at most 1 items"],
  [z.number().check(z.gte(1)), 0, "must be at least 1"],
  [z.number().check(z.gt(1)), 1, "must be more than 1"],
  [z.number().check(z.lt(1)), 1, "must be less than 1"],
  [z.string().check(z.regex(/^a$/)), "b", "is not written as it has to be"],
  [z.string().check(z.regex(/^a$/, "must be an a")), "b", "must be an a"],
  [z.uuid(), "b", "must be a UUID"],
  [z.iso.datetime(), "b", "must be an ISO-8601 date and time"],
  [z.strictObject({}), { admin: true }, "has unknown fields: admin"],
  [z.union([z.string(), z.boolean()]), 5, "has none of the allowed forms"],
])("a reason ends the sentence that its field begins (%#)", (schema, given, reason) => {
  expect(reasonOf(schema, given)).toBe(reason);
});
