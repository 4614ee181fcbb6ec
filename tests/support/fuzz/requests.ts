import fc from "fast-check";
import * as z from "zod";
import { jsonSchema, spoiled, valuesOf, type JsonSchema } from "./schema-arbitrary.ts";

/** Who sends it: somebody without a session, somebody signed in, or a program with an API key. */
export type Caller = "guest" | "person" | "program";
export type Fuzzed = {
  name: string;
  by: Caller;
  /** Of the sender, behind a trusted proxy. */
  address: string;
  method: string;
  path: string;
  query: Record<string, unknown>;
  body: unknown;
  isForm: boolean;
  /** Pages answer failures as pages. */
  isPage: boolean;
  idempotencyKey: string | null;
};
/** What a call takes as it is; of a guest unless it says otherwise. */
export type Ready = {
  by?: Caller;
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
};
export type ReadyCalls = Readonly<Record<string, readonly Ready[]>>;
type Known = Readonly<Record<string, readonly unknown[]>>;

const operationSchema = z.looseObject({
  operationId: z.string(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: jsonSchema }))
    .default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: jsonSchema })) }).optional(),
});
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), jsonSchema).default({}) }).optional(),
});
type Document = z.output<typeof documentSchema>;
type Operation = z.output<typeof operationSchema>;
/** Of the public calls, and of those that programs sign. */
export type Documents = { own: Document; signed: Document };

/** Pages, pictures and feeds: no calls of the document, and as public. */
const PAGES = (
  "/ /ru /embed /embed.js /exchange-eth-usdt-erc20 /exchange-{slug} /price /price/{slug} /order/{orderId} /order/pending /orders " +
  "/stop-refund /blog /blog/{slug} /docs /docs/{slug} /info/{slug} /swap-api /widget /support /for-competent-authorities /lk " +
  "/profile/{slug} /rates.xml /sitemap.xml /blog/rss.xml /robots.txt /pictures/{slug}.png /pictures/exchange-eth-btc.png"
).split(" ");
const PAGE_QUERY = (
  "amount mode step address memo ref link from to theme accent lang compact pairs parentOrigin destinationAddress slug q page token " +
  "orderId category next login"
).split(" ");

export async function readDocuments(url: string): Promise<Documents> {
  const read = async (path: string) => documentSchema.parse(await (await fetch(`${url}${path}`)).json());
  return { own: await read("/api/openapi.json"), signed: await read("/api/v2/partner/openapi.json") };
}

/** The calls that the documents list, by operationId. */
export const listedCalls = ({ own, signed }: Documents): string[] =>
  [own, signed].flatMap(({ paths }) =>
    Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)),
  );

/**
 * Requests of every call of both documents and of the pages: as their schemas say, those that are ready to be accepted, and all of these
 * spoiled in one place.
 */
export function fuzzedRequests({ own, signed }: Documents, known: Known, ready: ReadyCalls): fc.Arbitrary<Fuzzed> {
  return fc.oneof(
    ...operationsOf(own, ["guest", "person"], known, ready),
    ...operationsOf(signed, ["program"], known, ready),
    ...PAGES.map((path) => pageOf(path, known)),
  );
}

function operationsOf(
  { paths, components }: Document,
  callers: readonly Caller[],
  known: Known,
  ready: ReadyCalls,
): fc.Arbitrary<Fuzzed>[] {
  const values = (schema: JsonSchema) => valuesOf(resolved(schema, components?.schemas ?? {}), known);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const unlimited = operationOf(path, method, operation, callers, values);
      const sure = (ready[operation.operationId] ?? []).map((one) => readyOf(path, method, operation, one));
      return sure.length === 0 ? unlimited : fc.oneof(unlimited, fc.oneof(...sure));
    }),
  );
}

function operationOf(
  path: string,
  method: string,
  { operationId: name, parameters, requestBody }: Operation,
  callers: readonly Caller[],
  values: (schema: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Fuzzed> {
  const objectOf = (place: string): JsonSchema => {
    const there = parameters.filter((one) => one.in === place);
    return {
      type: "object",
      properties: Object.fromEntries(there.map((one) => [one.name, one.schema])),
      required: there.filter(({ required }) => required === true).map((one) => one.name),
    };
  };
  const [sent] = Object.entries(requestBody?.content ?? {});
  const fields = (place: string) => either(values(objectOf(place))).map((value) => ({ ...(value as object) }));
  return fc.record({
    name: fc.constant(name),
    by: fc.constantFrom(...callers),
    address: addresses,
    method: fc.constant(method.toUpperCase()),
    path: fields("path").map((given) => filled(path, given)),
    query: fields("query"),
    body: sent === undefined ? fc.constant(undefined) : either(values(sent[1].schema)),
    isForm: fc.constant(sent?.[0].startsWith("multipart/") === true),
    isPage: fc.constant(false),
    idempotencyKey: keys,
  });
}

/** Most often as it is. */
function readyOf(
  path: string,
  method: string,
  { operationId: name, requestBody }: Operation,
  { by = "guest", params = {}, query = {}, body }: Ready,
): fc.Arbitrary<Fuzzed> {
  const [type] = Object.keys(requestBody?.content ?? {});
  const mostly = (value: unknown) => {
    const as = fc.constant(value);
    return fc.oneof({ weight: 3, arbitrary: as }, { weight: 1, arbitrary: spoiled(as) });
  };
  return fc.record({
    name: fc.constant(name),
    by: fc.constant(by),
    address: addresses,
    method: fc.constant(method.toUpperCase()),
    path: fc.constant(filled(path, params)),
    query: mostly(query).map((value) => ({ ...(value as object) })),
    body: body === undefined ? fc.constant(undefined) : mostly(body),
    isForm: fc.constant(type?.startsWith("multipart/") === true),
    isPage: fc.constant(false),
    idempotencyKey: fc.uuid(),
  });
}

function pageOf(path: string, known: Known): fc.Arbitrary<Fuzzed> {
  const text: JsonSchema = { type: "string" };
  const schema: JsonSchema = { type: "object", properties: Object.fromEntries(PAGE_QUERY.map((key) => [key, text])) };
  const inPath: JsonSchema = {
    type: "object",
    properties: { orderId: text, slug: text },
    required: ["orderId", "slug"],
  };
  return fc.record({
    name: fc.constant(path),
    by: fc.constantFrom<Caller>("guest", "person"),
    address: addresses,
    method: fc.constant("GET"),
    path: valuesOf(inPath, known).map((given) => filled(path, { ...(given as object) })),
    query: valuesOf(schema, known).map((value) => ({ ...(value as object) })),
    body: fc.constant(undefined),
    isForm: fc.constant(false),
    isPage: fc.constant(true),
    idempotencyKey: fc.constant(null),
  });
}

const either = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.oneof(values, spoiled(values));
const addresses = fc
  .tuple(fc.nat(0xffff), fc.nat(0xffff))
  .map(([site, net]) => `2001:db8:${site.toString(16)}:${net.toString(16)}::1`);
const keys = fc.oneof(fc.constantFrom("the same key", null), fc.uuid());

function filled(path: string, given: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(given[name]).toWellFormed()));
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** The schema without references to the document's components. */
function resolved(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const target = schema.$ref === undefined ? undefined : named[schema.$ref.replace("#/components/schemas/", "")];
  const { properties, items, anyOf, oneOf, allOf, ...rest } = target ?? schema;
  const each = (list: JsonSchema[]) => list.map((one) => resolved(one, named));
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, resolved(one, named)])),
    }),
    ...(items && { items: resolved(items, named) }),
    ...(anyOf && { anyOf: each(anyOf) }),
    ...(oneOf && { oneOf: each(oneOf) }),
    ...(allOf && { allOf: each(allOf) }),
  };
}
