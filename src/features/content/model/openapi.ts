import * as z from "zod/mini";
import { type Field, fieldsOf, type JsonSchema, objectOf, schemaSchema, typeOf } from "./json-schema.ts";

// What the reference shows of an OpenAPI document.

const contentSchema = z.object({
  content: z.object({ "application/json": z.object({ schema: schemaSchema, example: z.optional(z.unknown()) }) }),
});
const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  description: z.optional(z.string()),
  schema: schemaSchema,
  example: z.optional(z.string()),
});
const refSchema = z.object({ $ref: z.string() });
const failureSchema = z.object({
  description: z.string(),
  content: z.object({
    "application/json": z.object({
      examples: z.record(z.string(), z.object({ summary: z.string(), value: z.unknown() })),
    }),
  }),
});
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.tuple([z.string()]),
  parameters: z._default(z.array(parameterSchema), []),
  requestBody: z.optional(contentSchema),
  responses: z.record(z.string(), z.union([refSchema, failureSchema, contentSchema])),
});
const webhookSchema = z.object({
  post: z.object({ description: z.string(), parameters: z.array(parameterSchema), requestBody: contentSchema }),
});
const documentSchema = z.object({
  info: z.object({ description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  webhooks: z.record(z.string(), webhookSchema),
  components: z.object({
    schemas: z.record(z.string(), schemaSchema),
    responses: z.record(z.string(), failureSchema),
  }),
});

export type Parameter = z.output<typeof operationSchema>["parameters"][number];
export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: JsonSchema; readonly example: unknown } | null;
  readonly success: { readonly status: string; readonly schema: JsonSchema; readonly example?: unknown };
  /** HTTP statuses, all of which answer a `Failure`. */
  readonly failures: readonly string[];
};
/** What calls are answered that fail with this HTTP status. */
export type FailureAnswer = {
  readonly status: string;
  readonly description: string;
  readonly examples: readonly { readonly summary: string; readonly value: unknown }[];
};
/** What webhooks are sent. */
export type DeliveredEvent = {
  readonly name: string;
  readonly description: string;
  readonly headers: readonly Field[];
  readonly fields: readonly Field[];
  readonly example: unknown;
};
export type Reference = {
  /** Markdown. */
  readonly introduction: string;
  readonly groups: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly operations: readonly Operation[];
  }[];
  readonly events: readonly DeliveredEvent[];
  readonly failures: readonly FailureAnswer[];
  readonly objects: readonly {
    readonly name: string;
    /** Callers send it, so that it matters which fields they may leave out. */
    readonly isGiven: boolean;
    readonly fields: readonly Field[];
  }[];
};

/** Throws for a document that has not the shape of ours. */
export function readReference(document: unknown): Reference {
  const { info, tags, paths, webhooks, components } = documentSchema.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      operation: toOperation(method, path, operation),
    })),
  );
  return {
    introduction: info.description,
    groups: tags.map(({ name, description }) => ({
      name,
      title: name.charAt(0).toUpperCase() + name.slice(1),
      description,
      operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
    events: Object.entries(webhooks).map(([name, { post }]) => toEvent(name, post, components.schemas)),
    failures: failuresOf(paths, components.responses),
    objects: Object.entries(components.schemas).map(([name, schema]) => ({
      name,
      isGiven: operations.some(({ operation: { body } }) => body !== null && objectOf(body.schema) === name),
      fields: fieldsOf(schema),
    })),
  };
}

type Document = z.output<typeof documentSchema>;

/** How calls fail by HTTP status, whether by a name or in the call itself; one example of each summary. */
function failuresOf(paths: Document["paths"], named: Document["components"]["responses"]): FailureAnswer[] {
  const found = new Map<string, { description: string; examples: Map<string, FailureAnswer["examples"][number]> }>();
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const [status, answer] of Object.entries(responses)) {
      const failure = "$ref" in answer ? named[answer.$ref.split("/").at(-1) ?? ""] : answer;
      if (failure === undefined || !("description" in failure)) continue;
      const { description, content } = failure;
      const known = found.get(status) ?? { description, examples: new Map() };
      for (const example of Object.values(content["application/json"].examples))
        if (!known.examples.has(example.summary)) known.examples.set(example.summary, example);
      found.set(status, known);
    }
  return [...found]
    .map(([status, { description, examples }]) => ({ status, description, examples: [...examples.values()] }))
    .sort((a, b) => Number(a.status) - Number(b.status));
}

function toEvent(
  name: string,
  { description, parameters, requestBody }: z.output<typeof webhookSchema>["post"],
  named: Document["components"]["schemas"],
): DeliveredEvent {
  const { schema, example } = requestBody.content["application/json"];
  const fields = fieldsOf(named[objectOf(schema) ?? ""] ?? schema);
  return { name, description, headers: parameters.map(fieldOfParameter), fields, example };
}

/** A parameter as a row of a table of fields. */
export const fieldOfParameter = ({ name, required, schema, description }: Parameter): Field => ({
  name,
  type: typeOf(schema),
  isRequired: required,
  description,
});

function toOperation(
  method: string,
  path: string,
  { operationId, summary, parameters, requestBody, responses }: z.output<typeof operationSchema>,
): Operation {
  const body = requestBody?.content["application/json"];
  const answers = Object.entries(responses);
  const success = answers.find(([status]) => status.startsWith("2"));
  if (success === undefined || "$ref" in success[1] || "description" in success[1])
    throw new Error(`${operationId} has no answer`);
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    parameters,
    body: body === undefined ? null : { schema: body.schema, example: body.example },
    success: { status: success[0], ...answerOf(success[1].content["application/json"]) },
    failures: answers.map(([status]) => status).filter((status) => !status.startsWith("2")),
  };
}

const answerOf = ({ schema, example }: { schema: JsonSchema; example?: unknown }) => ({ schema, example });
