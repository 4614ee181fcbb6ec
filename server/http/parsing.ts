import "../base/validation-messages.ts";
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import { safeParse, type $ZodIssue, type $ZodType } from "zod/v4/core";
import { CodedError } from "#contract/errors.ts";
import { refuseDuplicateKeys } from "../base/json.ts";

/** Deeper than any body of ours, and far from the depth at which recursion ends a process. */
const MAX_DEPTH = 32;

/** Reads JSON bodies as Fastify does, and refuses a key that stands twice in one object. */
export function readJsonBodies(app: FastifyInstance): void {
  const read = jsonReader(app);
  app.decorateRequest("rawBody", null);
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (request.routeOptions.config.keepsBody === true) request.rawBody = body;
    read(request, body, done);
  });
}

/** Reads a JSON text; what is wrong with it is the first argument of `done`. */
export function jsonReader(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser("error", "error");
  return (request: FastifyRequest, body: string, done: (error: Error | null, value?: unknown) => void): void => {
    void parse(request, body, (error, value) => done(error ?? duplicateKeyIn(body), value));
  };
}

function duplicateKeyIn(body: string): CodedError | null {
  try {
    refuseDuplicateKeys(body);
    return null;
  } catch (error) {
    return new CodedError("ERR_BAD_REQUEST", "A name stands twice in one object", { cause: error });
  }
}

/** Parses a query or a body by its schema; ERR_VALIDATION names every wrong field by its dotted path (contract §1). */
export const parseByZod: FastifySchemaCompiler<$ZodType> =
  ({ schema, httpPart }) =>
  (given: unknown) =>
    check(schema, given, httpPart ?? "body");

/** Parses a body that Fastify did not. Throws as `parseByZod` refuses. */
export function parseBody(schema: $ZodType, given: unknown): unknown {
  const checked = check(schema, given, "body");
  if ("error" in checked) throw checked.error;
  return checked.value;
}

function check(schema: $ZodType, given: unknown, whole: string): { error: CodedError } | { value: unknown } {
  const unfit = findUnfit(given);
  if (unfit !== null) return { error: invalidInput({ [unfit.path || whole]: unfit.reason }) };
  const parsed = safeParse(schema, given);
  return parsed.success ? { value: parsed.data } : { error: invalidInput(reasons(parsed.error.issues, whole)) };
}

export const writeByZod = serializerCompiler;

export const invalidInput = (data: Record<string, string>): CodedError =>
  new CodedError("ERR_VALIDATION", "The request is not valid", { data });

/** The first reason of each wrong field; `whole` names what has no path. */
function reasons(issues: readonly $ZodIssue[], whole: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const issue of issues) found[issue.path.join(".") || whole] ??= issue.message;
  return found;
}

/** Finds what neither the database nor a log line can hold: NUL, broken surrogates, nesting without end. */
function findUnfit(given: unknown): { path: string; reason: string } | null {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: given, path: "", depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === "string" && !isPlainText(value))
      return { path, reason: "holds characters that can't be stored" };
    if (typeof value !== "object" || value === null) continue;
    if (depth === MAX_DEPTH) return { path: path.slice(0, 64), reason: "is nested too deeply" };
    for (const [key, inner] of Object.entries(value)) {
      if (!isPlainText(key)) return { path, reason: "has a name that can't be stored" };
      open.push({ value: inner, path: path === "" ? key : `${path}.${key}`, depth: depth + 1 });
    }
  }
  return null;
}

const isPlainText = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
