import * as z from "zod/mini";
import { accountDataSchema, launchAnswerSchema, launchBodySchema, logoutAnswerSchema } from "./account.ts";
import { healthSchema, statsSchema } from "./health.ts";
import {
  defaultPairSchema,
  instrumentsSchema,
  pairListSchema,
  validateAddressAnswerSchema,
  validateAddressBodySchema,
} from "./instrument.ts";
import {
  acceptRateModeChangeBodySchema,
  createOrderBodySchema,
  latestOrderSchema,
  orderSchema,
  publicInfoQuerySchema,
  refundInfoSchema,
  requestRefundBodySchema,
  setEmailAnswerSchema,
  setEmailBodySchema,
} from "./order.ts";
import { pairDataSchema, rateRequestSchema, recommendedAmountQuerySchema, recommendedAmountSchema } from "./rate.ts";
import { pushAnswerSchema, pushKeySchema, pushSubscribeBodySchema, pushUnsubscribeBodySchema } from "./push.ts";
import {
  sandboxClockAnswerSchema,
  sandboxClockBodySchema,
  sandboxMailAnswerSchema,
  sandboxMarketAnswerSchema,
  sandboxMarketBodySchema,
  sandboxPayAnswerSchema,
  sandboxPayBodySchema,
} from "./sandbox.ts";
import { redirectsSchema, seoAnswerSchema, seoBodySchema } from "./site.ts";

type Schema = z.ZodMiniType;

/** One call: the server's route, the app's client and the OpenAPI document are all made from it. */
export type Call = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  /** How long the app waits, in milliseconds (spec §7). */
  readonly timeoutMs: number;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly answer: Schema;
  /** Takes an Idempotency-Key, because it moves value (contract §1). */
  readonly idempotent?: true;
  /** Signs somebody in: has a stricter limit (contract §1). */
  readonly isSignIn?: true;
  /** Answers only who is signed in. */
  readonly isForSignedIn?: true;
};

const instrumentsQuery = z.object({
  providers: z.optional(z.string().check(z.maxLength(256))),
  all: z.optional(z.enum(["true", "false"])),
});

/** Every public call (spec §7). */
export const calls = {
  latestOrders: {
    method: "GET",
    path: "/api/v1/orders/public/latest",
    summary: "The last 20 completed orders, without ids or addresses",
    timeoutMs: 15_000,
    answer: z.array(latestOrderSchema),
  },
  orderInfo: {
    method: "GET",
    path: "/api/v1/orders/public-info",
    summary: "One order, opened by its id and its destination address",
    timeoutMs: 15_000,
    query: publicInfoQuerySchema,
    answer: orderSchema,
  },
  refundInfo: {
    method: "GET",
    path: "/api/v1/orders/order-refund-info",
    summary: "What a refund of an order would deliver",
    timeoutMs: 15_000,
    query: z.object({ orderId: z.string().check(z.maxLength(512)) }),
    answer: refundInfoSchema,
  },
  createOrder: {
    method: "POST",
    path: "/api/v1/orders/public/create",
    summary: "Creates an order and allocates its deposit address",
    timeoutMs: 200_000,
    body: createOrderBodySchema,
    answer: orderSchema,
    idempotent: true,
  },
  setEmail: {
    method: "POST",
    path: "/api/v1/orders/public/set-email",
    summary: "Sets an order's email, once",
    timeoutMs: 15_000,
    body: setEmailBodySchema,
    answer: setEmailAnswerSchema,
  },
  requestRefund: {
    method: "POST",
    path: "/api/v1/orders/public/request-refund",
    summary: "Asks for a deposit back",
    timeoutMs: 10_000,
    body: requestRefundBodySchema,
    answer: orderSchema,
    idempotent: true,
  },
  acceptRateModeChange: {
    method: "POST",
    path: "/api/v1/orders/public/accept-rate-mode-change",
    summary: "Takes the floating rate that was offered when a fixed rate ended",
    timeoutMs: 10_000,
    body: acceptRateModeChangeBodySchema,
    answer: orderSchema,
    idempotent: true,
  },
  pushKey: {
    method: "GET",
    path: "/api/v1/orders/public/push-key",
    summary: "The key to subscribe to an order's notices with, null where there are none",
    timeoutMs: 15_000,
    answer: pushKeySchema,
  },
  subscribePush: {
    method: "POST",
    path: "/api/v1/orders/public/push-subscribe",
    summary: "Tells a browser what happens to an order from now on",
    timeoutMs: 15_000,
    body: pushSubscribeBodySchema,
    answer: pushAnswerSchema,
  },
  unsubscribePush: {
    method: "POST",
    path: "/api/v1/orders/public/push-unsubscribe",
    summary: "Tells a browser nothing more of an order",
    timeoutMs: 15_000,
    body: pushUnsubscribeBodySchema,
    answer: pushAnswerSchema,
  },
  validateAddress: {
    method: "POST",
    path: "/api/v1/instruments/public/validate-address",
    summary: "Says whether an address is valid on a network",
    timeoutMs: 15_000,
    body: validateAddressBodySchema,
    answer: validateAddressAnswerSchema,
  },
  health: {
    method: "GET",
    path: "/api/v1/health",
    summary: "The service's health, from cached state",
    timeoutMs: 10_000,
    answer: healthSchema,
  },
  healthz: {
    method: "GET",
    path: "/api/v1/healthz",
    summary: "The process is alive; touches nothing",
    timeoutMs: 20_000,
    answer: healthSchema,
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
    summary: "A rate in either direction, all fees shown apart",
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
  stats: {
    method: "GET",
    path: "/api/v1/stats/public",
    summary: "Figures about the service, null where there is no data yet",
    timeoutMs: 15_000,
    answer: statsSchema,
  },
  authenticateByTelegram: {
    method: "POST",
    path: "/api/v1/users/telegram/authenticate",
    summary: "Signs a known user of the messenger in by its launch data",
    timeoutMs: 15_000,
    body: launchBodySchema,
    answer: launchAnswerSchema,
    isSignIn: true,
  },
  createByTelegram: {
    method: "POST",
    path: "/api/v1/users/telegram/create",
    summary: "Makes the account of a user of the messenger, once, and signs in",
    timeoutMs: 15_000,
    body: launchBodySchema,
    answer: launchAnswerSchema,
    isSignIn: true,
  },
  accountData: {
    method: "GET",
    path: "/api/v1/users/account-data",
    summary: "Who is signed in",
    timeoutMs: 15_000,
    answer: accountDataSchema,
    isForSignedIn: true,
  },
  logOut: {
    method: "POST",
    path: "/api/v1/users/authentication/logout",
    summary: "Ends the session of the token that the call carries",
    timeoutMs: 15_000,
    answer: logoutAnswerSchema,
    isForSignedIn: true,
  },
  seoTexts: {
    method: "POST",
    path: "/dict/seo",
    summary: "The texts of a page's head, as translation keys",
    timeoutMs: 3_000,
    body: seoBodySchema,
    answer: seoAnswerSchema,
  },
  redirects: {
    method: "GET",
    path: "/api/v1/site/redirects",
    summary: "The redirects by path that the server defines",
    timeoutMs: 3_000,
    answer: redirectsSchema,
  },
} as const satisfies Record<string, Call>;

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
  sandboxMail: {
    method: "GET",
    path: "/sandbox/mail",
    summary: "Every mail that was sent, newest first",
    timeoutMs: 15_000,
    answer: sandboxMailAnswerSchema,
  },
} as const satisfies Record<string, Call>;

export type CallName = keyof typeof calls;
type AllCalls = typeof calls & typeof sandboxCalls;
/** The sandbox's calls included. */
export type AnyCallName = keyof AllCalls;
type CallOf<Name extends AnyCallName> = AllCalls[Name];
type Parsed<T> = T extends Schema ? z.output<T> : undefined;
type Given<T> = T extends Schema ? z.input<T> : undefined;
export type QueryOf<Name extends AnyCallName> = CallOf<Name> extends { query: infer Q } ? Parsed<Q> : undefined;
export type BodyOf<Name extends AnyCallName> = CallOf<Name> extends { body: infer B } ? Parsed<B> : undefined;
export type QueryInput<Name extends AnyCallName> = CallOf<Name> extends { query: infer Q } ? Given<Q> : undefined;
export type BodyInput<Name extends AnyCallName> = CallOf<Name> extends { body: infer B } ? Given<B> : undefined;
export type AnswerOf<Name extends AnyCallName> = z.output<CallOf<Name>["answer"]>;
