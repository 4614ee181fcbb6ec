import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { type Call, partnerCalls } from "#contract/calls.ts";
import { partnerOpenApi } from "./document.ts";
import { PARTNER_EXAMPLES } from "./examples.ts";

const document = partnerOpenApi("https://wherry.test");
const operations = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
});

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

  test("has examples that are what the contract says", () => {
    for (const [name, call] of Object.entries<Call>(partnerCalls)) {
      const { query, body, answer } = PARTNER_EXAMPLES[name as keyof typeof partnerCalls] ?? {};
      for (const [schema, example] of [
        [call.query, query],
        [call.body, body],
        [call.answer, answer],
      ] as const)
        if (schema !== undefined && example !== undefined) expect(z.safeParse(schema, example).error).toBeUndefined();
      // Nobody finds out a body without one.
      expect([name, call.body === undefined || body !== undefined]).toEqual([name, true]);
    }
  });
});
