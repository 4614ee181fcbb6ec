import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { CodedError, failureSchema } from "./errors.ts";

/** The table of the contract; a code that it lists with several statuses stands with its usual one. */
const BY_STATUS = {
  400: ["ERR_VALIDATION", "ERR_BAD_REQUEST", "ERR_INVALID_CREDENTIALS", "ERR_INVALID_PASSWORD_RESET_CODE"],
  401: ["ERR_UNAUTHORIZED"],
  403: ["ERR_FORBIDDEN", "ERR_NOT_ENOUGH_PERMISSIONS"],
  404: ["ERR_NOT_FOUND", "ERR_NOT_FOUND_E"],
  406: ["ERR_NOT_ACCEPTABLE"],
  409: ["ERR_USER_ALREADY_REGISTERED", "ERR_PRISMA_CLIENT_KNOWN_REQUEST"],
  418: ["ERR_IM_A_TEAPOT"],
  422: [
    "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
    "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
    "ERR_WITHDRAWAL_TOO_SMALL",
    "ERR_UNPROCESSABLE_ENTITY",
    "ERR_PAIR_NOT_ACTIVE",
    "ERR_NO_LIQUIDITY_AVAILABLE",
    "ERR_NETWORK_NOT_SUPPORTED",
    "ERR_BALANCE_TOO_LOW",
    "ERR_BALANCE_NOT_FOUND",
  ],
  500: ["ERR_INTERNAL_SERVER_ERROR"],
  503: ["ERR_SERVICE_UNAVAILABLE"],
} as const;

describe("the error catalogue", () => {
  it.each(Object.entries(BY_STATUS).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)))(
    "%s is HTTP %i",
    (code, status) => {
      expect(new CodedError(code, "why").httpStatus).toBe(status);
    },
  );

  it("has the 24 codes of the catalogue, each once, each with a status", () => {
    const codes = Object.values(BY_STATUS).flat();
    expect(new Set(codes).size).toBe(24);
    expect(z.toJSONSchema(failureSchema)).toMatchObject({
      properties: {
        status: { enum: expect.toSatisfy((known: string[]) => known.toSorted().join() === codes.toSorted().join()) },
      },
    });
  });
});

describe("a failure's body", () => {
  const body = { status: "ERR_VALIDATION", message: "Wrong field", data: { userEmail: "bad" }, traceId: "t1" };

  it("is read with and without data", () => {
    expect(failureSchema.parse(body)).toEqual(body);
    expect(failureSchema.parse({ ...body, data: undefined }).data).toBeUndefined();
  });

  it.each([
    { ...body, status: "ERR_SOMETHING" },
    { ...body, message: undefined },
    { ...body, traceId: undefined },
    { ...body, data: "text" },
    "Bad Gateway",
    null,
  ])("%j is not one", (other) => expect(failureSchema.safeParse(other).success).toBe(false));
});

describe("CodedError", () => {
  it("carries its data, its cause, and the status that the call gives it", () => {
    const cause = new Error("below");
    const error = new CodedError("ERR_BAD_REQUEST", "Too many requests", {
      httpStatus: 429,
      retryAfterSeconds: 7,
      data: { limit: 3 },
      cause,
    });
    expect(error).toMatchObject({
      name: "CodedError",
      code: "ERR_BAD_REQUEST",
      message: "Too many requests",
      httpStatus: 429,
      retryAfterSeconds: 7,
      data: { limit: 3 },
      cause,
    });
    expect("cause" in new CodedError("ERR_FORBIDDEN", "no")).toBe(false);
  });
});
