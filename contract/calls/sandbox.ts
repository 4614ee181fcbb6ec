import { sandboxCardAnswerSchema, sandboxCardBodySchema } from "../card.ts";
import {
  sandboxClockAnswerSchema,
  sandboxClockBodySchema,
  sandboxCreditAnswerSchema,
  sandboxCreditBodySchema,
  sandboxMailAnswerSchema,
  sandboxMarketAnswerSchema,
  sandboxMarketBodySchema,
  sandboxNetworkAnswerSchema,
  sandboxNetworkBodySchema,
  sandboxNetworkParamsSchema,
  sandboxPayAnswerSchema,
  sandboxPayBodySchema,
} from "../sandbox.ts";
import type { Call } from "./call.ts";

/** What a person or a test does to the sandbox (contract §7); these exist only while it is on and are in no OpenAPI document. */
export const sandboxCalls = {
  sandboxPay: {
    method: "POST",
    path: "/sandbox/pay",
    summary: "Pays an order's deposit address from the sandbox's own wallet",
    timeoutMs: 30_000,
    body: sandboxPayBodySchema,
    answer: sandboxPayAnswerSchema,
  },
  sandboxMarket: {
    method: "POST",
    path: "/sandbox/market",
    summary: "Sets a market price",
    timeoutMs: 15_000,
    body: sandboxMarketBodySchema,
    answer: sandboxMarketAnswerSchema,
  },
  sandboxClock: {
    method: "POST",
    path: "/sandbox/clock",
    summary: "Moves the sandbox's clock forward",
    timeoutMs: 15_000,
    body: sandboxClockBodySchema,
    answer: sandboxClockAnswerSchema,
  },
  sandboxNetwork: {
    method: "POST",
    path: "/sandbox/networks/:networkTitle",
    summary: "Mines blocks on a network, pauses it or replaces its last blocks",
    timeoutMs: 15_000,
    params: sandboxNetworkParamsSchema,
    body: sandboxNetworkBodySchema,
    answer: sandboxNetworkAnswerSchema,
  },
  sandboxCredit: {
    method: "POST",
    path: "/sandbox/credit",
    summary: "Credits the wallet of an account",
    timeoutMs: 15_000,
    body: sandboxCreditBodySchema,
    answer: sandboxCreditAnswerSchema,
  },
  sandboxCard: {
    method: "POST",
    path: "/sandbox/card",
    summary: "Moves a card order at the sandbox's card provider",
    timeoutMs: 15_000,
    body: sandboxCardBodySchema,
    answer: sandboxCardAnswerSchema,
  },
  sandboxMail: {
    method: "GET",
    path: "/sandbox/mail",
    summary: "Every mail that was sent, newest first",
    timeoutMs: 15_000,
    answer: sandboxMailAnswerSchema,
  },
} as const satisfies Record<string, Call>;
