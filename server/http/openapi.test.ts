import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { calls } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database.ts";
import { PUBLIC_URL, testApp, type TestApp } from "../../tests/support/http-app.ts";

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  app = await testApp(database, { config: { sandbox: true } });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const content = z.object({ "application/json": z.object({ schema: z.looseObject({}) }) });
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  parameters: z.optional(z.array(z.object({ in: z.literal("query"), name: z.string(), required: z.boolean() }))),
  requestBody: z.optional(z.object({ content })),
  responses: z.record(z.string(), z.object({ content })),
});
const documentSchema = z.object({
  openapi: z.string().check(z.startsWith("3.1")),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

describe("the OpenAPI document", () => {
  it("lists every call of the contract and nothing else", async () => {
    const document = z.parse(documentSchema, (await app.inject("/api/openapi.json")).json());
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
    );
    expect(listed.sort()).toEqual(
      Object.entries(calls)
        .map(([name, { method, path }]) => `${method} ${path} ${name}`)
        .sort(),
    );
    expect(document.servers).toEqual([{ url: PUBLIC_URL }]);
  });

  it("says what each takes, what it answers and how it fails", async () => {
    const document = z.parse(documentSchema, (await app.inject("/api/openapi.json")).json());
    for (const call of Object.values(calls)) {
      const operation = document.paths[call.path]?.[call.method.toLowerCase()];
      expect(Object.keys(operation?.responses ?? {}).sort()).toEqual(["200", "4XX", "5XX"]);
      expect(operation?.requestBody !== undefined).toBe("body" in call);
    }
    const rate = document.paths[calls.rate.path]?.["get"];
    expect(rate?.parameters?.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      "instrumentFromSlug",
      "instrumentToSlug",
      "claimedDepositAmount",
    ]);
  });
});
