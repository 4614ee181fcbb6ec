import * as z from "zod/mini";

// What the reference shows of the schemas of an OpenAPI document.

export type JsonSchema = {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: JsonSchema | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly default?: unknown;
  readonly description?: string | undefined;
};

export const schemaSchema: z.ZodMiniType<JsonSchema> = z.lazy(() =>
  z.object({
    $ref: z.optional(z.string()),
    type: z.optional(z.union([z.string(), z.array(z.string())])),
    const: z.optional(z.unknown()),
    enum: z.optional(z.array(z.unknown())),
    properties: z.optional(z.record(z.string(), schemaSchema)),
    required: z.optional(z.array(z.string())),
    items: z.optional(schemaSchema),
    anyOf: z.optional(z.array(schemaSchema)),
    default: z.optional(z.unknown()),
    description: z.optional(z.string()),
  }),
);
export type Field = {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The named object that it is, or is a list of. */
  readonly object?: string;
  readonly description?: string | undefined;
};

/** Every field below a schema, those of objects without a name of their own among them: `deposits[].amount`. */
export function fieldsOf(schema: JsonSchema, prefix = ""): Field[] {
  const { items, properties = {}, required = [] } = schema;
  if (items !== undefined) return fieldsOf(items, `${prefix}[]`);
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const { description } = property;
    const object = objectOf(withoutNull(property));
    const field = {
      name: path,
      type: typeOf(property),
      isRequired: required.includes(name),
      ...(object !== null && { object }),
      ...(description !== undefined && { description }),
    };
    return [field, ...fieldsOf(withoutNull(property), path)];
  });
}

/** An object that may be null, as that object. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return others.length === 1 && others[0] !== undefined ? others[0] : schema;
}

/** How a schema is written: `string`, `"FIXED" | "FLOATING"`, `Order[]`, `string | null`. */
export function typeOf(schema: JsonSchema): string {
  const { $ref, anyOf, items, type } = schema;
  if ($ref !== undefined) return $ref.split("/").at(-1) ?? $ref;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" | ");
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (items !== undefined) return `${typeOf(items)}[]`;
  return typeof type === "string" ? type : (type?.join(" | ") ?? "any");
}

/** The name of the object that a schema is, or is a list of; null where it has none. */
export function objectOf({ $ref, items }: JsonSchema): string | null {
  if (items !== undefined) return objectOf(items);
  return $ref === undefined ? null : ($ref.split("/").at(-1) ?? null);
}
