import fc from "fast-check";
import * as z from "zod";

/** What our OpenAPI document uses of JSON Schema. */
export type JsonSchema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  pattern?: string;
  $ref?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

export const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(jsonSchema).optional(),
    oneOf: z.array(jsonSchema).optional(),
    allOf: z.array(jsonSchema).optional(),
    properties: z.record(z.string(), jsonSchema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), jsonSchema]).optional(),
    items: jsonSchema.optional(),
    pattern: z.string().optional(),
    $ref: z.string().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  }),
);

/** Text that has broken servers: separators, controls, lone surrogates, long runs, numbers at their edges, names of prototypes. */
const HOSTILE = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "-1",
    "1e400",
    "NaN",
    "0.1e1",
    "__proto__",
    "constructor",
    "\u0000",
    "\uD800",
    "\u202E",
    "%00",
  ),
  fc.constantFrom(
    "'; drop table orders; --",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "${7*7}",
    "{{7*7}}",
    "\r\nX: y",
  ),
  fc.integer({ min: 100, max: 5_000 }).map((length) => "9".repeat(length)),
  fc.string({ unit: "binary", maxLength: 200 }),
);

/** Values of a schema; `known` gives values by property name that exist on the server, so that calls get beyond the first check. */
export function valuesOf(
  schema: JsonSchema,
  known: Readonly<Record<string, readonly unknown[]>>,
): fc.Arbitrary<unknown> {
  const { anyOf = schema.oneOf, allOf, type } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => valuesOf(one, known)));
  if (allOf !== undefined)
    return fc.tuple(...allOf.map((one) => valuesOf(one, known))).map((parts) => Object.assign({}, ...parts));
  switch (Array.isArray(type) ? type[0] : type) {
    case "object":
      return objectsOf(schema, known);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, known), { maxLength: 5 });
    case "integer":
    case "number":
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return stringsOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function stringsOf({ pattern, minLength = 0, maxLength = 64 }: JsonSchema): fc.Arbitrary<string> {
  const fitting = pattern === undefined ? [] : [fc.stringMatching(new RegExp(pattern))];
  const short = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 64)) });
  // A field's limit is often beyond those of what is done with it.
  const long = fc.integer({ min: 0, max: Math.min(maxLength, 4_000) }).map((length) => "a".repeat(length));
  return fc.oneof(...fitting, short, long, HOSTILE);
}

function objectsOf(
  { properties = {}, required = [] }: JsonSchema,
  known: Readonly<Record<string, readonly unknown[]>>,
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const existing = known[name];
      const values = valuesOf(schema, known);
      return [
        name,
        existing === undefined ? values : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...existing) }, values),
      ];
    }),
  );
  return fc.record(fields, { requiredKeys: required.filter((name) => Object.hasOwn(fields, name)) });
}

/** The same value with one of its fields replaced, removed or added, or something else in its place. */
export const spoiled = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      values,
      fc.nat(),
      fc.oneof(HOSTILE, fc.jsonValue({ maxDepth: 3 })),
      fc.constantFrom("replace", "remove", "add", "all"),
    )
    .map(([value, at, other, how]) => {
      if (how === "all" || typeof value !== "object" || value === null || Array.isArray(value)) return other;
      const entries = Object.entries(value);
      if (how === "add") return { ...value, [String(at)]: other };
      const [name] = entries[at % Math.max(1, entries.length)] ?? [];
      return Object.fromEntries(
        entries.flatMap(([key, field]) => (key === name ? (how === "remove" ? [] : [[key, other]]) : [[key, field]])),
      );
    });
