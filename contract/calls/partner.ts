import { walletBalancesSchema } from "../earnings.ts";
import { pairListSchema } from "../instrument.ts";
import { partnerInstrumentsSchema, partnerRateQuerySchema, partnerRateSchema } from "../partner.ts";
import type { Call } from "./call.ts";

/** The partner API: calls that an account's own programs sign with an API key (contract §13). */
export const partnerCalls = {
  partnerInstruments: {
    method: "GET",
    path: "/api/v2/partner/instruments",
    summary: "The instruments that can be exchanged, with their chains and assets by CAIP-2 and CAIP-19",
    timeoutMs: 15_000,
    answer: partnerInstrumentsSchema,
  },
  partnerPairs: {
    method: "GET",
    path: "/api/v2/partner/pairs",
    summary: "Which instruments each instrument can be exchanged to",
    timeoutMs: 15_000,
    answer: pairListSchema,
  },
  partnerRate: {
    method: "GET",
    path: "/api/v2/partner/rates",
    summary: "A rate in either direction, a markup included; a refusal names all its reasons in data.reasons",
    timeoutMs: 15_000,
    query: partnerRateQuerySchema,
    answer: partnerRateSchema,
  },
  partnerBalances: {
    method: "GET",
    path: "/api/v2/partner/balances",
    summary: "What the account has earned, its markups included",
    timeoutMs: 15_000,
    answer: walletBalancesSchema,
  },
} as const satisfies Record<string, Call>;
