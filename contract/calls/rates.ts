import * as z from "zod/mini";
import {
  defaultPairSchema,
  instrumentsSchema,
  pairListSchema,
  validateAddressAnswerSchema,
  validateAddressBodySchema,
} from "../instrument.ts";
import { pairDataSchema, rateRequestSchema, recommendedAmountQuerySchema, recommendedAmountSchema } from "../rate.ts";
import type { Call } from "./call.ts";

const instrumentsQuery = z.object({
  providers: z.optional(z.string().check(z.maxLength(256))),
  all: z.optional(z.enum(["true", "false"])),
});

/** What can be exchanged, and at which rate. */
export const rateCalls = {
  validateAddress: {
    method: "POST",
    path: "/api/v1/instruments/public/validate-address",
    summary: "Says whether an address is valid on a network",
    timeoutMs: 15_000,
    body: validateAddressBodySchema,
    answer: validateAddressAnswerSchema,
  },
  defaultPair: {
    method: "GET",
    path: "/api/v1/pairs/default",
    summary: "The pair that the calculator opens with",
    timeoutMs: 30_000,
    answer: defaultPairSchema,
  },
  recommendedAmount: {
    method: "GET",
    path: "/api/v1/rates/public/recommended-amount",
    summary: "A sensible amount to send for a pair",
    timeoutMs: 15_000,
    query: recommendedAmountQuerySchema,
    answer: recommendedAmountSchema,
  },
  rate: {
    method: "GET",
    path: "/api/v2/rates/public/one",
    summary: "A rate in either direction, all fees listed separately",
    timeoutMs: 15_000,
    query: rateRequestSchema,
    answer: pairDataSchema,
  },
  instruments: {
    method: "GET",
    path: "/api/v2/instruments/public",
    summary: "The instruments; all=true adds inactive and fiat ones",
    timeoutMs: 15_000,
    query: instrumentsQuery,
    answer: instrumentsSchema,
  },
  instrumentsV1: {
    method: "GET",
    path: "/api/v1/instruments/public",
    summary: "The instruments, under their older address",
    timeoutMs: 20_000,
    query: instrumentsQuery,
    answer: instrumentsSchema,
  },
  pairs: {
    method: "GET",
    path: "/api/v2/pairs/public",
    summary: "Which instruments each instrument can be exchanged to",
    timeoutMs: 30_000,
    answer: pairListSchema,
  },
} as const satisfies Record<string, Call>;
