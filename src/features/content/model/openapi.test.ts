import { describe, expect, test } from "vitest";
import { fieldsOf, objectOf, typeOf } from "./json-schema.ts";
import { readReference } from "./openapi.ts";

test.each([
  [{ type: "string" }, "string"],
  [{ enum: ["FIXED", "FLOATING"] }, '"FIXED" | "FLOATING"'],
  [{ const: "res", type: "string" }, '"res"'],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ $ref: "#/components/schemas/Order" }, "Order"],
  [{ type: "array", items: { $ref: "#/components/schemas/Order" } }, "Order[]"],
  [{}, "any"],
])("%o is written %s", (schema, written) => {
  expect(typeOf(schema)).toBe(written);
});

test("fields below lists and nullable objects are named by their path", () => {
  const amount = { type: "object", required: ["amount"], properties: { amount: { type: "string" } } };
  const schema = {
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "string", description: "Ours" },
      deposits: { type: "array", items: amount },
      offer: { anyOf: [amount, { type: "null" }] },
      pair: { $ref: "#/components/schemas/Pair" },
    },
  };
  expect(fieldsOf(schema)).toEqual([
    { name: "id", type: "string", isRequired: true, description: "Ours" },
    { name: "deposits", type: "object[]", isRequired: false },
    { name: "deposits[].amount", type: "string", isRequired: true },
    { name: "offer", type: "object | null", isRequired: false },
    { name: "offer.amount", type: "string", isRequired: true },
    { name: "pair", type: "Pair", isRequired: false, object: "Pair" },
  ]);
});

test("a list of a named object leads to that object", () => {
  expect(objectOf({ type: "array", items: { $ref: "#/components/schemas/Order" } })).toBe("Order");
  expect(objectOf({ type: "object" })).toBeNull();
});

describe("a document", () => {
  const answer = { content: { "application/json": { schema: { type: "object" } } } };
  const operation = {
    operationId: "rate",
    summary: "A rate",
    tags: ["rates"],
    responses: { 200: answer, 422: { $ref: "#/components/responses/Refused" } },
  };
  const failure = {
    description: "The call was refused",
    content: { "application/json": { examples: { small: { summary: "Too small", value: { status: "ERR_A" } } } } },
  };
  const document = {
    info: { description: "## Signing" },
    webhooks: {
      "order.updated": {
        post: {
          description: "Sent for each order",
          parameters: [{ name: "X-Signature", in: "header", required: true, schema: { type: "string" } }],
          requestBody: answer,
        },
      },
    },
    tags: [{ name: "rates", description: "Rates" }],
    paths: { "/rates": { get: operation } },
    components: { schemas: {}, responses: { Refused: failure } },
  };

  test("is read by groups", () => {
    expect(readReference(document).groups).toMatchObject([
      { name: "rates", operations: [{ id: "rate", method: "GET", success: { status: "200" }, failures: ["422"] }] },
    ]);
  });

  test("has its introduction, what webhooks are sent, and each failure once", () => {
    expect(readReference(document)).toMatchObject({
      introduction: "## Signing",
      events: [{ name: "order.updated", headers: [{ name: "X-Signature", isRequired: true }] }],
      failures: [
        {
          status: "422",
          description: "The call was refused",
          examples: [{ summary: "Too small", value: { status: "ERR_A" } }],
        },
      ],
    });
  });

  test("has every failure of a status, of whichever calls", () => {
    const closed = { summary: "The pair is off", value: { status: "ERR_B" } };
    const own = {
      description: "The call was refused",
      content: { "application/json": { schema: { type: "object" }, examples: { closed, again: closed } } },
    };
    const other = { ...operation, operationId: "create", responses: { 201: answer, 422: own } };
    const { failures, groups } = readReference({ ...document, paths: { "/rates": { get: operation, post: other } } });
    expect(failures.map(({ status, examples }) => [status, examples.map(({ summary }) => summary)])).toEqual([
      ["422", ["Too small", "The pair is off"]],
    ]);
    expect(groups[0]?.operations.map((one) => one.failures)).toEqual([["422"], ["422"]]);
  });

  test("without an answer that succeeds, or of another shape, is refused", () => {
    const failing = { ...document, paths: { "/rates": { get: { ...operation, responses: { 422: answer } } } } };
    expect(() => readReference(failing)).toThrow("rate has no answer");
    expect(() => readReference({})).toThrow();
  });
});
