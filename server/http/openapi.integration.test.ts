import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { generateSource } from "oazapfts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { calls, type Call } from "#contract/calls.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { PUBLIC_URL, testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { EXAMPLES } from "./openapi-examples.ts";

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  app = await testApp(database, {
    config: { sandbox: true },
    site: async (site) => void site.get("/*", () => "a page"),
  });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const described = z.object({ schema: z.looseObject({}) });
const json = z.object({ "application/json": described });
const content = z.union([json, z.object({ "text/csv": described })]);
/** A form where it has files. */
const bodyContent = z.union([json, z.object({ "multipart/form-data": described })]);
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  parameters: z.optional(
    z.array(z.object({ in: z.enum(["path", "query", "header"]), name: z.string(), required: z.boolean() })),
  ),
  requestBody: z.optional(z.object({ content: bodyContent })),
  responses: z.record(z.string(), z.object({ content })),
});
const documentSchema = z.object({
  openapi: z.string().check(z.startsWith("3.1")),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

/** As OpenAPI writes the params of a path. */
const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

describe("the OpenAPI document", () => {
  it("lists the calls of the contract and nothing else", async () => {
    const document = z.parse(documentSchema, (await app.inject("/api/openapi.json")).json());
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
    );
    expect(listed.sort()).toEqual(
      Object.entries(calls)
        .map(([name, { method, path }]) => `${method} ${templateOf(path)} ${name}`)
        .sort(),
    );
    expect(document.servers).toEqual([{ url: PUBLIC_URL }]);
  });

  it("has the parameters, body, answer and failures of each", async () => {
    const document = z.parse(documentSchema, (await app.inject("/api/openapi.json")).json());
    for (const call of Object.values<Call>(calls)) {
      const operation = document.paths[templateOf(call.path)]?.[call.method.toLowerCase()];
      const hasInput = call.params !== undefined || call.query !== undefined || call.body !== undefined;
      expect(Object.keys(operation?.responses ?? {}).map(Number)).toEqual([
        call.successStatus ?? 200,
        400,
        ...(call.isForSignedIn ? [401] : []),
        ...(hasInput ? [404] : []),
        ...(call.idempotent ? [409] : []),
        ...(call.isForSignedIn ? [418] : []),
        ...(hasInput ? [422] : []),
        429,
        500,
        503,
      ]);
      const kinds = Object.entries(operation?.responses ?? {}).map(([status, answer]) => [
        Number(status) < 400,
        Object.keys(answer.content),
      ]);
      for (const [isSuccess, kind] of kinds)
        expect(kind).toEqual([(isSuccess ? call.mediaType : undefined) ?? "application/json"]);
      const tags = document.tags.map(({ name }) => name);
      for (const tag of operation?.tags ?? []) expect(tags).toContain(tag);
      const types = Object.keys(operation?.requestBody?.content ?? {});
      expect(types).toEqual(call.body ? [call.isForm ? "multipart/form-data" : "application/json"] : []);
    }
    const rate = document.paths[calls.rate.path]?.["get"];
    expect(rate?.parameters?.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      "instrumentFromSlug",
      "instrumentToSlug",
      "claimedDepositAmount",
    ]);
  });

  it("has examples that fit the schemas", () => {
    for (const [name, example] of Object.entries(EXAMPLES)) {
      const call: Call | undefined = Object.entries<Call>(calls).find(([known]) => known === name)?.[1];
      if (example.query) z.parse(call?.query ?? z.never(), example.query);
      if (example.body !== undefined) z.parse(call?.body ?? z.never(), example.body);
      if (example.answer !== undefined) z.parse(call?.answer ?? z.never(), example.answer);
    }
  });

  it("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate((await app.inject("/api/openapi.json")).json());
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it("generates a client that compiles", async () => {
    const folder = await mkdtemp(join(tmpdir(), "wherry-client-"));
    try {
      const root = resolve(import.meta.dirname, "../..");
      await writeFile(join(folder, "openapi.json"), (await app.inject("/api/openapi.json")).body);
      const client = await generateSource(join(folder, "openapi.json"));
      for (const name of Object.keys(calls)) expect(client).toContain(`export function ${name}(`);
      await writeFile(join(folder, "client.ts"), client);
      await writeFile(join(folder, "package.json"), '{ "type": "module" }');
      await symlink(join(root, "node_modules"), join(folder, "node_modules"));
      const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      const files = ["--lib", "es2024,dom", "--types", "", "client.ts"];
      const compiled = promisify(execFile)(process.execPath, [compiler, ...options, ...files], { cwd: folder });
      const output = await compiled.then(
        () => "",
        (error: unknown) => (error instanceof Error && "stdout" in error ? error.stdout : error),
      );
      expect(output).toBe("");
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 60_000);
});
