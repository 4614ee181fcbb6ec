import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { type Call, partnerCalls } from "#contract/calls.ts";
import { parseAmount } from "#contract/money.ts";
import { partnerReasonSchema } from "#contract/partner-api.ts";
import type { Example } from "../../http/openapi/examples/example.ts";
import {
  failureComponents,
  failuresIn,
  isOfStatus,
  responsesSchema,
} from "../../../tests/support/http/openapi-failures.ts";
import { partnerOpenApi } from "./document.ts";
import { PARTNER_EXAMPLES } from "./examples.ts";
import { FIELD_NOTES } from "./notes.ts";
import { INTRODUCTION } from "./texts.ts";

const document = partnerOpenApi("https://wherry.test");
const operations = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
});
const parametersSchema = z.object({
  parameters: z.array(z.looseObject({ name: z.string(), description: z.optional(z.string()) })),
});
const webhooksSchema = z.object({
  webhooks: z.object({
    "order.updated": z.object({
      post: z.object({
        parameters: z.array(z.looseObject({ name: z.string() })),
        requestBody: z.object({
          content: z.object({ "application/json": z.object({ example: z.looseObject({ data: z.unknown() }) }) }),
        }),
      }),
    }),
  }),
});
type Field = {
  description?: string | undefined;
  properties?: Fields;
  items?: Field | undefined;
  anyOf?: Field[] | undefined;
};
type Fields = Record<string, Field> | undefined;
const fieldSchema: z.ZodMiniType<Field> = z.lazy(() =>
  z.looseObject({
    description: z.optional(z.string()),
    properties: z.optional(z.record(z.string(), fieldSchema)),
    items: z.optional(fieldSchema),
    anyOf: z.optional(z.array(fieldSchema)),
  }),
);
/** The paths of the fields that nothing is said of, whatever they are in. */
function silentFields(path: string, { properties = {}, items, anyOf = [] }: Field): string[] {
  return [
    ...(items === undefined ? [] : silentFields(`${path}[]`, items)),
    ...anyOf.flatMap((one) => silentFields(path, one)),
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${path}.${name}`]),
      ...silentFields(`${path}.${name}`, field),
    ]),
  ];
}
/** Of every body and every answer that has no name. */
const inlineSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        requestBody: z.optional(
          z.object({ content: z.object({ "application/json": z.object({ schema: fieldSchema }) }) }),
        ),
        responses: z.record(
          z.string(),
          z.object({ content: z.optional(z.object({ "application/json": z.object({ schema: fieldSchema }) })) }),
        ),
      }),
    ),
  ),
});
const componentsSchema = z.object({ components: z.object({ schemas: z.record(z.string(), fieldSchema) }) });
const failingSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string(), responses: responsesSchema }))),
  components: z.object({ responses: failureComponents }),
});
/** How each call fails, by its name. */
const failures = new Map(
  Object.values(z.parse(failingSchema, document).paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, responses }) => [
      operationId,
      failuresIn(responses, z.parse(failingSchema, document).components.responses),
    ]),
  ),
);

describe("the partner API's document", () => {
  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  test("has exactly the signed calls", () => {
    const listed = Object.entries(z.parse(operations, document).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
    );
    const calls = Object.entries<Call>(partnerCalls);
    expect(listed.sort()).toEqual(
      calls.map(([name, { method, path }]) => `${method} ${path.replace(/:(\w+)/g, "{$1}")} ${name}`).sort(),
    );
  });

  test("describes signing, every parameter, and only fields that there are", () => {
    const text = JSON.stringify(document);
    for (const told of ["X-Api-Timestamp", "30 s", "taken once", "curl "]) expect(INTRODUCTION).toContain(told);
    const { parameters } = z.parse(parametersSchema, {
      parameters: Object.values(z.parse(operations, document).paths).flatMap((methods) =>
        Object.values(methods).flatMap((operation) => operation["parameters"] ?? []),
      ),
    });
    expect(parameters.filter(({ description }) => !description)).toEqual([]);
    for (const notes of Object.values(FIELD_NOTES))
      for (const note of Object.values(notes)) expect(text).toContain(JSON.stringify(note));
  });

  test("says of every field of every body and answer what it is", () => {
    const { schemas } = z.parse(componentsSchema, document).components;
    const inline = Object.values(z.parse(inlineSchema, document).paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ requestBody, responses }) =>
        [requestBody, ...Object.values(responses)].flatMap((one) => one?.content?.["application/json"].schema ?? []),
      ),
    );
    expect(inline.flatMap((schema) => silentFields("inline", schema))).toEqual([]);
    const silent = Object.entries(schemas).flatMap(([name, schema]) => silentFields(name, schema));
    // Signed calls exchange coins for coins: `card` is always null, and its note says so.
    expect(silent.filter((path) => !/^(?:Rate|Order)\.card\./.test(path))).toEqual([]);
    for (const name of ["Rate", "Order"]) expect(schemas[name]?.properties?.["card"]?.description).toContain("null");
  });

  test("calls what has a name by its name, wherever it is", () => {
    const { schemas } = z.parse(componentsSchema, document).components;
    const text = JSON.stringify(document);
    // A reason is in a failure's data, which is as open as its codes are many.
    for (const name of Object.keys(schemas).filter((name) => name !== "Reason"))
      expect([name, text.includes(`#/components/schemas/${name}"`)]).toEqual([name, true]);
    // A field of instruments that nothing else has.
    expect(text.match(/"assetId":\{/g)).toHaveLength(1);
  });

  test("says of each call how it fails, with its own codes", () => {
    for (const [name, call] of Object.entries<Call>(partnerCalls)) {
      const known = failures.get(name) ?? [];
      const statuses = known.map(({ status }) => status);
      expect([name, statuses]).toEqual([name, expect.arrayContaining([400, 401, 429, 500, 503])]);
      if (call.body) expect([name, statuses]).toEqual([name, expect.arrayContaining([413, 415])]);
      if (call.idempotent) expect([name, statuses]).toEqual([name, expect.arrayContaining([409, 422])]);
      expect([name, statuses.includes(404)]).toEqual([name, call.params !== undefined]);
      for (const { status, description, headers, examples } of known) {
        for (const { status: code } of examples) {
          expect([name, status, code, isOfStatus(code, status)]).toEqual([name, status, code, true]);
          expect([name, description]).toEqual([name, expect.stringContaining(`\`${code}\``)]);
        }
        if (status === 409 || status === 429) expect([name, status, headers]).toEqual([name, status, ["Retry-After"]]);
      }
    }
    const codesOf = (name: string) => (failures.get(name) ?? []).flatMap(({ examples }) => examples);
    const rate = codesOf("partnerCreateOrder").find(({ data }) => data?.["rate"] !== undefined)?.data?.["rate"];
    expect(z.safeParse(partnerCalls.partnerRate.answer, rate).error).toBeUndefined();
    for (const { data } of codesOf("partnerRate").filter(({ status }) => status !== "ERR_VALIDATION"))
      for (const reason of z.parse(z.array(z.unknown()), data?.["reasons"] ?? []))
        expect(z.safeParse(partnerReasonSchema, reason).error).toBeUndefined();
    const told = JSON.stringify(codesOf("partnerCreateOrder"));
    for (const code of [
      "error_address_empty",
      "error_address_incorrect",
      "error_address_unpayable",
      "error_address_must_be_different",
    ])
      expect(told).toContain(code);
  });

  test("has the order that a delivery brings, and its signature", () => {
    const { webhooks } = z.parse(webhooksSchema, document);
    const { parameters, requestBody } = webhooks["order.updated"].post;
    expect(parameters.map(({ name }) => name)).toContain("X-Wherry-Signature");
    const { data } = requestBody.content["application/json"].example;
    expect(z.safeParse(partnerCalls.partnerOrder.answer, data).error).toBeUndefined();
  });

  test("has examples whose units are their amounts", () => {
    const rightUnits = (value: unknown, decimals: readonly number[]): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, units] of Object.entries(value)) {
        rightUnits(units, decimals);
        const amount: unknown = Object.entries(value).find(([other]) => `${other}Units` === name)?.[1];
        if (typeof amount !== "string") continue;
        expect([name, decimals.map((each) => `${parseAmount(amount, each)}`)]).toEqual([
          name,
          expect.arrayContaining([units]),
        ]);
      }
    };
    rightUnits([PARTNER_EXAMPLES, [...failures.values()]], [18, 6]);
  });

  test("has examples that are what the contract says", () => {
    for (const [name, call] of Object.entries<Call>(partnerCalls)) {
      const example: Example = PARTNER_EXAMPLES[name as keyof typeof partnerCalls];
      for (const part of ["params", "query", "body", "answer"] as const) {
        const schema = call[part];
        const error = schema === undefined ? example[part] : z.safeParse(schema, example[part]).error;
        expect([name, part, error]).toEqual([name, part, undefined]);
      }
    }
  });
});
