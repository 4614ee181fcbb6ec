import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { generateSource } from "oazapfts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { calls, pathOf, type Call, type CallName } from "#contract/calls.ts";
import { failureSchema } from "#contract/errors.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { PUBLIC_URL, testApp, type TestApp } from "../../../tests/support/http/http-app.ts";
import {
  failureComponents,
  failuresIn,
  isOfStatus,
  responsesSchema,
} from "../../../tests/support/http/openapi-failures.ts";
import { EXAMPLES, type Example } from "./examples/index.ts";

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

const content = z.record(
  z.string(),
  z.object({
    schema: z.looseObject({ properties: z.optional(z.record(z.string(), z.unknown())) }),
    example: z.optional(z.unknown()),
  }),
);
const parameter = z.object({
  in: z.enum(["path", "query", "header"]),
  name: z.string(),
  required: z.boolean(),
  example: z.optional(z.unknown()),
});
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  security: z.optional(z.array(z.record(z.string(), z.array(z.string())))),
  parameters: z._default(z.array(parameter), []),
  requestBody: z.optional(z.object({ content })),
  responses: responsesSchema,
});
const documentSchema = z.object({
  openapi: z.string().check(z.startsWith("3.1")),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: failureComponents,
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});

const callsByName = Object.entries(calls) as [CallName, Call][];

/** As OpenAPI writes the params of a path. */
const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

const readDocument = async () => z.parse(documentSchema, (await app.inject("/api/openapi.json")).json());

type Document = z.output<typeof documentSchema>;
function operationOf({ paths }: Document, { path, method }: Call): z.output<typeof operationSchema> {
  const operation = paths[templateOf(path)]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`the document has no ${method} ${path}`);
  return operation;
}

/** What a call takes and answers, by media type. */
const contentOf = (part: unknown) => z.parse(z.object({ content }), part).content;

const failuresOf = (document: Document, call: Call) =>
  failuresIn(operationOf(document, call).responses, document.components.responses);

describe("the OpenAPI document", () => {
  it("lists the calls of the contract and nothing else", async () => {
    const document = await readDocument();
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
    );
    expect(listed.sort()).toEqual(
      callsByName.map(([name, { method, path }]) => `${method} ${templateOf(path)} ${name}`).sort(),
    );
    expect(document.servers).toEqual([{ url: PUBLIC_URL }]);
  });

  it("has the parameters, body and answer of each", async () => {
    const document = await readDocument();
    const tags = document.tags.map(({ name }) => name);
    for (const [name, call] of callsByName) {
      const operation = operationOf(document, call);
      for (const tag of operation.tags) expect(tags).toContain(tag);
      const types = Object.keys(operation.requestBody?.content ?? {});
      expect([name, types]).toEqual([
        name,
        call.body ? [call.isForm ? "multipart/form-data" : "application/json"] : [],
      ]);
      const success = contentOf(operation.responses[call.successStatus ?? 200]);
      expect([name, Object.keys(success)]).toEqual([name, [call.mediaType ?? "application/json"]]);
    }
    const required = operationOf(document, calls.rate).parameters.filter((one) => one.required);
    expect(required.map(({ name }) => name)).toEqual([
      "instrumentFromSlug",
      "instrumentToSlug",
      "claimedDepositAmount",
    ]);
  });

  it("has an example of everything that a call takes and answers, which its schema accepts", async () => {
    const document = await readDocument();
    for (const [name, call] of callsByName) {
      const example: Example = EXAMPLES[name];
      for (const part of ["params", "query", "body", "answer"] as const) {
        const schema = call[part];
        const error = schema === undefined ? example[part] : z.safeParse(schema, example[part]).error;
        expect([name, part, error]).toEqual([name, part, undefined]);
      }
      // Nothing in it is left out when it is written.
      expect([name, z.parse(call.answer, example.answer)]).toEqual([name, example.answer]);

      const { parameters, requestBody, responses } = operationOf(document, call);
      const silent = parameters.filter((one) => one.required && one.example === undefined);
      expect([name, silent.map((one) => one.name)]).toEqual([name, []]);
      for (const part of [...(requestBody ? [requestBody] : []), responses[call.successStatus ?? 200]])
        for (const { example: shown } of Object.values(contentOf(part)))
          expect([name, shown === undefined]).toEqual([name, false]);
    }
  });

  it("says of each call how it fails, with its own codes and fields", async () => {
    const document = await readDocument();
    for (const [name, call] of callsByName) {
      const failures = failuresOf(document, call);
      const statuses = failures.map(({ status }) => status);
      const readsSession = call.isForSignedIn === true || call.usesSession === true;
      const isGiven = (status: number) => statuses.includes(status);
      expect([name, [400, 429, 500, 503].every(isGiven)]).toEqual([name, true]);
      // Where something proves who calls.
      expect([name, isGiven(401)]).toEqual([name, readsSession || name === "refresh" || name === "cardCallback"]);
      expect([name, isGiven(418)]).toEqual([name, readsSession]);
      expect([name, [413, 415].map(isGiven)]).toEqual([name, [call.body, call.body].map((body) => body !== undefined)]);
      if (call.idempotent) expect([name, [409, 422].every(isGiven)]).toEqual([name, true]);
      if (call.method !== "GET") expect([name, isGiven(403)]).toEqual([name, true]);

      const { parameters, requestBody } = operationOf(document, call);
      const bodies = Object.values(requestBody?.content ?? {});
      const fields = [
        ...parameters.map((one) => one.name),
        ...bodies.flatMap(({ schema }) => Object.keys(schema.properties ?? {})),
      ];
      const data = new Set<string>();
      for (const { status, description, headers, examples } of failures) {
        expect([name, status, examples.length > 0]).toEqual([name, status, true]);
        for (const { status: code, ...failure } of examples) {
          expect([name, status, code, isOfStatus(code, status)]).toEqual([name, status, code, true]);
          expect(description).toContain(`\`${code}\``);
          if (code === "ERR_VALIDATION") for (const path of Object.keys(failure.data ?? {})) data.add(path);
        }
        if (status === 429) expect([name, headers]).toEqual([name, ["Retry-After"]]);
      }
      // A call that takes something says which of its fields may be wrong; the provider's callback is any object.
      expect([name, data.size > 0]).toEqual([name, fields.some((field) => field !== "Idempotency-Key") || !!call.body]);
      if (name !== "cardCallback")
        for (const path of data) expect([name, fields]).toEqual([name, expect.arrayContaining([path.split(".")[0]])]);
    }
  });

  it("says who may make a call: a session is needed, counts where there is one, or is nothing to it", async () => {
    const document = await readDocument();
    const session = [{ accessToken: [] }, { accessCookie: [] }];
    for (const [name, call] of callsByName) {
      const { security = [] } = operationOf(document, call);
      const others =
        name === "refresh" ? [{ refreshCookie: [] }] : name === "cardCallback" ? [{ cardSignature: [] }] : [];
      const expected = call.isForSignedIn ? session : call.usesSession ? [...session, {}] : others;
      expect([name, security]).toEqual([name, expected]);
      for (const scheme of security.flatMap(Object.keys))
        expect(Object.keys(document.components.securitySchemes)).toContain(scheme);
    }
  });

  it("names every answer that a wrong request gets", async () => {
    const document = await readDocument();
    const json = { "content-type": "application/json" };
    for (const [name, call] of callsByName) {
      const example: Example = EXAMPLES[name];
      const known = failuresOf(document, call).flatMap(({ status, examples }) =>
        examples.map((failure) => `${status} ${failure.status}`),
      );
      const url = pathOf(call, example.params);
      const sent = [
        { headers: {} },
        { headers: { "sec-fetch-site": "cross-site" } },
        ...(call.isForSignedIn || call.usesSession ? [{ headers: { authorization: "Bearer nobody" } }] : []),
        ...(call.body
          ? [
              { headers: json, payload: "{}" },
              { headers: json, payload: "{" },
              { headers: json, payload: JSON.stringify({ long: "x".repeat(70_000) }) },
              { headers: { "content-type": "application/x-www-form-urlencoded" }, payload: "a=b" },
            ]
          : []),
      ];
      for (const request of sent) {
        const answer = await app.inject({ method: call.method, url, ...request });
        if (answer.statusCode < 400) continue;
        const { status } = z.parse(failureSchema, answer.json());
        expect([name, request.headers, known]).toEqual([
          name,
          request.headers,
          expect.arrayContaining([`${answer.statusCode} ${status}`]),
        ]);
      }
    }
  });

  it("calls nothing by a name that it doesn't have, and names nothing that isn't called", async () => {
    const { body } = await app.inject("/api/openapi.json");
    const called = [...body.matchAll(/"#\/components\/(schemas|responses|headers)\/(\w+)"/g)].map(
      ([, kind, name]) => `${kind}/${name}`,
    );
    const { components } = z.parse(
      z.object({ components: z.record(z.string(), z.record(z.string(), z.unknown())) }),
      JSON.parse(body),
    );
    const named = ["schemas", "responses", "headers"].flatMap((kind) =>
      Object.keys(components[kind] ?? {}).map((name) => `${kind}/${name}`),
    );
    expect([...new Set(called)].sort()).toEqual(named.sort());
  });

  it("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate((await app.inject("/api/openapi.json")).json());
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it("generates a client that compiles", async () => {
    const folder = await mkdtemp(join(tmpdir(), "wherry-client-"));
    try {
      const root = resolve(import.meta.dirname, "../../..");
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
