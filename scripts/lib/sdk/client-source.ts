import * as z from "zod";

type Json = Record<string, unknown>;
const json = z.record(z.string(), z.unknown());
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: json.optional() }))
    .default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: json })) }).optional(),
  // Failures are named beside the schemas, and have no content here.
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.object({ schema: json })).optional() })),
});
type Operation = z.infer<typeof operationSchema>;
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), json) }),
});

/** How long each call may take, by its operation's id. */
type Timeouts = Readonly<Record<string, { timeoutMs: number }>>;

/** The source of a client in one file, without dependencies, of a partner API's OpenAPI document. `runtime` is its part that no call changes. */
export function clientSource(given: unknown, runtime: string, timeouts: Timeouts): string {
  const { paths, components } = documentSchema.parse(given);
  const types = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      methodOf(method.toUpperCase(), path, { ...operation, ...timeouts[operation.operationId] }),
    ),
  );
  return runtime.replace("// TYPES", () => types.join("\n\n")).replace("  // METHODS", () => methods.join("\n\n"));
}

function methodOf(method: string, path: string, operation: Operation & { timeoutMs?: number }): string {
  const params = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const query = operation.parameters.filter((one) => one.in === "query");
  const key = operation.parameters.find((one) => one.in === "header");
  const body = operation.requestBody?.content["application/json"]?.schema;
  const isQueryNeeded = query.some(({ required }) => required);
  const given = [
    ...params.map((name) => `${name}: string`),
    ...(query.length === 0 ? [] : [`query: ${queryType(query)}${isQueryNeeded ? "" : " = {}"}`]),
    ...(body === undefined ? [] : [`body: ${typeOf(body)}`]),
    ...(key === undefined ? [] : [key.required ? "idempotencyKey: string" : "idempotencyKey?: string"]),
    "options: CallOptions = {}",
  ];
  const answer = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
  const answerType = typeOf(answer?.content?.["application/json"]?.schema ?? {});
  const parts = [
    ...(query.length === 0 ? [] : ["query"]),
    ...(body === undefined ? [] : ["body"]),
    ...(key === undefined ? [] : ["idempotencyKey"]),
    `timeoutMs: ${operation.timeoutMs ?? DEFAULT_TIMEOUT_MS}`,
    "options",
  ];
  const url = `\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${name})}`)}\``;
  const name = operation.operationId.replace(/^partner/, "");
  return `  /** ${operation.summary}. */
  ${name.charAt(0).toLowerCase()}${name.slice(1)}(${given.join(", ")}): Promise<${answerType}> {
    return this.call("${method}", ${url}, { ${parts.join(", ")} });
  }`;
}

const DEFAULT_TIMEOUT_MS = 60_000;

const queryType = (query: readonly { name: string; required: boolean; schema?: Json | undefined }[]): string =>
  `{ ${query.map(({ name, required, schema }) => `${name}${required ? "" : "?"}: ${typeOf(schema ?? {})}`).join("; ")} }`;

/** A JSON schema as a type of TypeScript. */
function typeOf(schema: Json): string {
  const { $ref, anyOf, oneOf, enum: values, type, items } = schema;
  if (typeof $ref === "string") return $ref.split("/").at(-1) ?? "unknown";
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  const union = anyOf ?? oneOf;
  if (Array.isArray(union)) return [...new Set(z.array(json).parse(union).map(typeOf))].join(" | ");
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(" | ");
  if (type === "array") return `(${typeOf(json.parse(items))})[]`;
  if (type === "object") return objectOf(schema);
  return PLAIN[String(type)] ?? "unknown";
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

function objectOf({ properties, required, additionalProperties }: Json): string {
  const fields = Object.entries(json.optional().parse(properties) ?? {});
  const needed = z.array(z.string()).optional().parse(required) ?? [];
  if (fields.length === 0)
    return typeof additionalProperties === "object" ? "Record<string, unknown>" : "Record<string, never>";
  return `{ ${fields.map(([name, schema]) => `${name}${needed.includes(name) ? "" : "?"}: ${typeOf(json.parse(schema))}`).join("; ")} }`;
}
