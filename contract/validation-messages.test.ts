import { expect, test } from "vitest";
import * as z from "zod/mini";
import { type Call, calls, partnerCalls } from "./calls.ts";

type Def = { error?: unknown; format?: unknown; pattern?: unknown; checks?: unknown } & Record<string, unknown>;

/** Every check of a regular expression in a schema that has no message of its own. */
function unnamedPatterns(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  if (Array.isArray(schema)) return schema.flatMap((one) => unnamedPatterns(one, seen));
  const def = (schema as { _zod?: { def: Def } })._zod?.def;
  if (def === undefined) return Object.values(schema).flatMap((one) => unnamedPatterns(one, seen));
  const own = def.format === "regex" && def.error === undefined ? [String(def.pattern)] : [];
  return [...own, ...unnamedPatterns({ ...def }, seen)];
}

test("a pattern without a message is found wherever it is", () => {
  const plain = z.string().check(z.regex(/a/));
  expect(unnamedPatterns(z.object({ list: z.array(z.optional(z.nullable(plain))) }))).toEqual(["/a/"]);
  expect(unnamedPatterns(z.string().check(z.regex(/a/, "must have an a")))).toEqual([]);
});

test("a caller whose input does not match reads so in a sentence", () => {
  const found = Object.entries<Call>({ ...calls, ...partnerCalls }).flatMap(([name, { params, query, body }]) =>
    unnamedPatterns([params, query, body]).map((pattern) => `${name} ${pattern}`),
  );
  expect(found).toEqual([]);
});
