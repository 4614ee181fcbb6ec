// Client of the Wherry partner API, for Node 20+, Deno, Bun and workers. Made by `npm run sdk`; copy it into your project.
// Your secret key signs every call: never send it to a browser.

export type Failure = {
  status:
    | "ERR_UNAUTHORIZED"
    | "ERR_NOT_ENOUGH_PERMISSIONS"
    | "ERR_UNPROCESSABLE_ENTITY"
    | "ERR_INVALID_CREDENTIALS"
    | "ERR_USER_ALREADY_REGISTERED"
    | "ERR_FORBIDDEN"
    | "ERR_BAD_REQUEST"
    | "ERR_NO_LIQUIDITY_AVAILABLE"
    | "ERR_NOT_FOUND"
    | "ERR_SERVICE_UNAVAILABLE"
    | "ERR_NOT_ACCEPTABLE"
    | "ERR_INTERNAL_SERVER_ERROR"
    | "ERR_NETWORK_NOT_SUPPORTED"
    | "ERR_BALANCE_TOO_LOW"
    | "ERR_BALANCE_NOT_FOUND"
    | "ERR_WITHDRAWAL_TOO_SMALL"
    | "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL"
    | "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG"
    | "ERR_VALIDATION"
    | "ERR_INVALID_PASSWORD_RESET_CODE"
    | "ERR_PRISMA_CLIENT_KNOWN_REQUEST"
    | "ERR_IM_A_TEAPOT"
    | "ERR_NOT_FOUND_E"
    | "ERR_PAIR_NOT_ACTIVE";
  message: string;
  data?: Record<string, unknown>;
  traceId: string;
};

export type Reason = {
  status: string;
  message: string;
  sourceAmountLimit: string | null;
  destinationAmountLimit: string | null;
  sourceAmountLimitUnits: string | null;
  destinationAmountLimitUnits: string | null;
};

export type Instrument = {
  currencyTitle: string;
  networkTitle: string;
  slug: string;
  bestChangeName: string | null;
  coinstatValue: string | null;
  price: string | null;
  currencyLogoLink: string | null;
  currencyFriendlyTitle: string;
  networkFriendlyTitle: string;
  instrumentType: "fiat" | "other";
  requiresMemo: boolean;
  precisionDecimals: number;
  contractAddress: string | null;
  isPopular: boolean;
  explorerTx: string | null;
  explorerAddress: string | null;
  confirmations: number;
  networkStandard: string | null;
  payoutFee: string | null;
  blockSeconds: number | null;
  payoutSeconds: number | null;
  cardMinAmount?: string | null;
  chainId: string | null;
  assetId: string | null;
  accountReserve: string | null;
  accountReserveUnits: string | null;
};

export type PairList = { from: string; to: string[] }[];

export type Rate = {
  instrumentFrom: Instrument;
  instrumentTo: Instrument;
  liquidityProviderPublicCode: string;
  amountToGive: string;
  amountToGet: string;
  rateMode: "FIXED" | "FLOATING";
  price: string;
  marketLeftPrice: string;
  marketRightPrice: string;
  marketMinAmount: string;
  generalMinAmount: string;
  generalMaxAmount: string | null;
  quotes: { buyQuote: { quoteValue: string }; sellQuote: { quoteValue: string } };
  depositRules: { minAmount: string; maxAmount: string | null; minAmountUnits: string; maxAmountUnits: string | null };
  finalNetworkFeeAmount: string;
  platformFee_Absolute: string;
  claimedDepositAmount: string;
  updatedAt: string;
  validUntil: string;
  ckm: "A" | "B" | "D";
  noKycThreshold: string | null;
  card: {
    provider: string;
    direction: "buy" | "sell";
    fiat: string;
    fees: { kind: "processing" | "platform" | "network"; amount: string }[];
    marketValue: string;
    methods: string[];
    termsUrl?: string | null;
    privacyUrl?: string | null;
  } | null;
  estimatedSeconds: number | null;
  amountToGiveUnits: string;
  amountToGetUnits: string;
  markupBps: number;
};

export type CreateOrder = {
  rateMode: "FIXED" | "FLOATING";
  destinationAddress?: string | null;
  destinationAddressMemo?: string | null;
  refundAddress?: string | null;
  refundAddressMemo?: string | null;
  claimedPublicRate: {
    finalNetworkFeeAmount?: string | null;
    platformFee_Absolute?: string | null;
    price: string;
    quotes?: { buyQuote: { quoteValue: string }; sellQuote: { quoteValue: string } } | null;
    updatedAt: string;
    claimedAmountToReceive: string;
  };
  claimedDepositAmount: string;
  locale?: string | null;
  instrumentFromSlug: string;
  instrumentToSlug: string;
  markupBps?: number;
  externalId?: string | null;
  sandboxOutcome?: "slow" | "wrong-amount" | "volatility" | "partner-fails" | "refund" | null;
};

export type Refund = { refundAddress?: string | null; refundAddressMemo?: string | null };

export type Order = {
  orderId: string;
  reference: string;
  status:
    | "res"
    | "expired"
    | "CREATION_END"
    | "DEPOSIT_REGISTERED"
    | "INCOMING_FUNDS_DETECTED"
    | "FUNDS_WITHDRAWAL_START"
    | "WITHDRAWAL_COMPLETED"
    | "REFUND_REQUESTED"
    | "REFUND_COMPLETED"
    | "RATE_MODE_CHANGED"
    | "RATE_MODE_CHANGE_ACCEPTED"
    | "FIXED_RATE_HIGH_VOLATILITY_DETECTED"
    | "FIXED_RATE_SLOW_DEPOSIT_DETECTED"
    | "FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED";
  rateMode: "FIXED" | "FLOATING";
  pair: { instrumentFrom: Instrument; instrumentTo: Instrument };
  destinationAddress: string;
  destinationAddressMemo: string | null;
  refundAddress: string | null;
  refundAddressMemo: string | null;
  userEmail: string | null;
  isEmailConfirmed: boolean;
  claimedDepositAmount: string;
  claimedPublicRate: {
    price: string;
    finalNetworkFeeAmount: string;
    platformFee_Absolute: string;
    claimedAmountToReceive: string;
  };
  amountToGet: string;
  feesTaken: { platformFee: string; networkFee: string } | null;
  pricesUsd: { from: string; to: string } | null;
  finalPricesUsd: { from: string; to: string } | null;
  createdAt: string;
  expiresAt: string | null;
  unpaidUntil: string | null;
  minConfirmationsToWithdraw: number;
  depositAddress: string | null;
  depositAddressMemo: string | null;
  depositUri: string;
  deposits: {
    amount: string;
    confirmations: number;
    requiredConfirmations: number;
    txId: string;
    detectedAt: string;
    isCounted: boolean;
    amountUnits: string;
  }[];
  withdrawals: {
    amount: string;
    txId: string | null;
    confirmations: number;
    kind: "payout" | "refund";
    amountUnits: string;
  }[];
  orderEvents: {
    kind:
      | "CREATION_END"
      | "DEPOSIT_REGISTERED"
      | "INCOMING_FUNDS_DETECTED"
      | "FUNDS_WITHDRAWAL_START"
      | "WITHDRAWAL_COMPLETED"
      | "REFUND_REQUESTED"
      | "REFUND_COMPLETED"
      | "RATE_MODE_CHANGED"
      | "RATE_MODE_CHANGE_ACCEPTED"
      | "FIXED_RATE_HIGH_VOLATILITY_DETECTED"
      | "FIXED_RATE_SLOW_DEPOSIT_DETECTED"
      | "FIXED_RATE_WRONG_DEPOSIT_AMOUNT_DETECTED";
    at: string;
  }[];
  offer: { price: string; amountToGet: string; at: string; validUntil: string; amountToGetUnits: string } | null;
  attention: {
    reason: "BELOW_MINIMUM" | "ABOVE_MAXIMUM";
    expected: string;
    received: string;
    countsFrom: string | null;
    expectedUnits: string;
    receivedUnits: string;
    countsFromUnits: string | null;
  } | null;
  review: {
    reason:
      | "WRONG_ASSET"
      | "DEPOSIT_UNDONE"
      | "LATE_DEPOSIT"
      | "DEPOSIT_CHECK"
      | "PAYMENT_CHECK"
      | "PAYMENTS_STOPPED"
      | "NO_PROVIDER"
      | "REFUND_TOO_SMALL"
      | "REFUND_DELAYED"
      | "REFUND_STOPPED";
    needed: "OPERATOR" | "NETWORK" | "PROVIDER" | "TOP_UP" | "TIME";
    until: string | null;
  } | null;
  redirectUrl: string | null;
  card: {
    provider: string;
    direction: "buy" | "sell";
    state: "opened" | "paid" | "sending" | "done" | "cancelled" | "failed" | "refunded";
    reference: string | null;
    supportUrl: string | null;
    steps: { kind: "paid" | "checked" | "sent"; at: string | null }[];
    quoted?: { fees: { kind: "processing" | "platform" | "network"; amount: string }[]; marketValue: string } | null;
  } | null;
  estimatedSeconds: number | null;
  state: "PENDING" | "PROCESSING" | "INFO_NEEDED" | "COMPLETED" | "REFUNDED" | "EXPIRED";
  externalId: string | null;
  markupBps: number;
  claimedDepositAmountUnits: string;
  amountToGetUnits: string;
  amountFromUsd: string | null;
  amountToUsd: string | null;
};

export type OrderList = { items: Order[]; nextCursor: string | null };

export type CreateWebhook = { url: string };

export type Webhook = { id: string; url: string; createdAt: string };

export type WebhookWithSecret = { id: string; url: string; createdAt: string; secret: string };

export type Delivery = {
  id: string;
  type: "order.updated" | "test";
  orderId: string | null;
  state: "PENDING" | "DELIVERED" | "DEAD";
  attempts: number;
  createdAt: string;
  lastAttemptAt: string | null;
  lastStatus: number | null;
  lastError: string | null;
  nextAttemptAt: string | null;
  deliveredAt: string | null;
};

export type DeliveryList = { items: Delivery[]; nextCursor: string | null };

export type OrderUpdated = { id: string; type: "order.updated"; createdAt: string; data: Order };

export type WebhookTest = { id: string; type: "test"; createdAt: string; data: Record<string, never> };

export type Balance = { currencyTitle: string; networkTitle: string; balance: string; held: string };

export class WherryError extends Error {
  readonly httpStatus: number;
  /** Where a proxy before Wherry answered, its `traceId` is empty. */
  readonly failure: Failure;
  /** When to call again; null where the answer doesn't say. */
  readonly retryAfterSeconds: number | null;
  constructor(httpStatus: number, failure: Failure, retryAfterSeconds: number | null = null) {
    super(failure.message);
    this.name = "WherryError";
    this.httpStatus = httpStatus;
    this.failure = failure;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type WherryOptions = {
  publicKey: string;
  secretKey: string;
  /** Where Wherry is, such as https://wherry.example. */
  origin: string;
  /** How long a call may take; without it each has its own time. Then it throws a `TimeoutError`, and a creation may have happened: repeat it with its key. */
  timeoutMs?: number;
};

/** Of one call. */
export type CallOptions = { timeoutMs?: number; signal?: AbortSignal };

type Given = {
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  timeoutMs: number;
  options: CallOptions;
};

type Sending = {
  method: string;
  target: string;
  text: string;
  timestamp: number;
  idempotencyKey: string | undefined;
  signal: AbortSignal;
};

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const hmac = async (secret: string, text: string): Promise<ArrayBuffer> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, ["sign"]);
  return crypto.subtle.sign("HMAC", key, bytesOf(text));
};

/** The last time stamp of each key: a signature is taken once, so no two calls have one, whichever client makes them. */
const lastTimes = new Map<string, number>();
const nextTime = (publicKey: string): number => {
  const next = Math.max((lastTimes.get(publicKey) ?? 0) + 1, Date.now());
  lastTimes.set(publicKey, next);
  return next;
};
/** Of another attempt: at random, as programs that met in one millisecond would meet in the next one too. */
const otherTime = (): number => Date.now() - 1 - Math.floor(Math.random() * 1_000);

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
};
const isFailure = (answer: unknown): answer is Failure =>
  typeof answer === "object" &&
  answer !== null &&
  "status" in answer &&
  typeof answer.status === "string" &&
  "message" in answer;
/** What something else than Wherry answered. */
const foreignFailure = (httpStatus: number): Failure => ({
  status: [502, 503, 504].includes(httpStatus) ? "ERR_SERVICE_UNAVAILABLE" : "ERR_INTERNAL_SERVER_ERROR",
  message: `HTTP ${httpStatus}, with an answer that is not Wherry's`,
  traceId: "",
});
/** Of a `Retry-After`, which is a number of seconds or a date. */
const secondsOf = (given: string | null): number | null => {
  if (given === null) return null;
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
};

export class WherryClient {
  readonly #options: WherryOptions;

  constructor(options: WherryOptions) {
    this.#options = options;
  }

  /** The instruments that can be exchanged, with their chains and assets by CAIP-2 and CAIP-19. */
  instruments(options: CallOptions = {}): Promise<Instrument[]> {
    return this.call("GET", `/api/v2/partner/instruments`, { timeoutMs: 15000, options });
  }

  /** Which instruments each instrument can be exchanged to. */
  pairs(options: CallOptions = {}): Promise<PairList> {
    return this.call("GET", `/api/v2/partner/pairs`, { timeoutMs: 15000, options });
  }

  /** A rate in either direction, a markup included; a refusal names all its reasons in data.reasons. */
  rate(
    query: {
      instrumentFromSlug: string;
      instrumentToSlug: string;
      claimedDepositAmount: string;
      claimedDepositAmountCurrency?: string;
      rateMode?: "FIXED" | "FLOATING";
      markupBps?: string;
    },
    options: CallOptions = {},
  ): Promise<Rate> {
    return this.call("GET", `/api/v2/partner/rates`, { query, timeoutMs: 15000, options });
  }

  /** Creates an order for a customer; the Idempotency-Key is obligatory. */
  createOrder(body: CreateOrder, idempotencyKey: string, options: CallOptions = {}): Promise<Order> {
    return this.call("POST", `/api/v2/partner/orders`, { body, idempotencyKey, timeoutMs: 200000, options });
  }

  /** The orders that the account's programs made, the newest first, with a stable cursor. */
  orders(
    query: {
      from?: string;
      to?: string;
      state?: "PENDING" | "PROCESSING" | "INFO_NEEDED" | "COMPLETED" | "REFUNDED" | "EXPIRED";
      externalId?: string;
      cursor?: string;
      limit?: string;
    } = {},
    options: CallOptions = {},
  ): Promise<OrderList> {
    return this.call("GET", `/api/v2/partner/orders`, { query, timeoutMs: 15000, options });
  }

  /** One of the orders that the account's programs made. */
  order(orderId: string, options: CallOptions = {}): Promise<Order> {
    return this.call("GET", `/api/v2/partner/orders/${encodeURIComponent(orderId)}`, { timeoutMs: 15000, options });
  }

  /** Asks for a deposit back. */
  refund(orderId: string, body: Refund, idempotencyKey?: string, options: CallOptions = {}): Promise<Order> {
    return this.call("POST", `/api/v2/partner/orders/${encodeURIComponent(orderId)}/refund`, {
      body,
      idempotencyKey,
      timeoutMs: 10000,
      options,
    });
  }

  /** Takes the floating rate that was offered when a fixed rate ended. */
  accept(
    orderId: string,
    body: Record<string, never>,
    idempotencyKey?: string,
    options: CallOptions = {},
  ): Promise<Order> {
    return this.call("POST", `/api/v2/partner/orders/${encodeURIComponent(orderId)}/accept`, {
      body,
      idempotencyKey,
      timeoutMs: 10000,
      options,
    });
  }

  /** Adds a receiver of order.updated, and answers the secret that its deliveries are signed with, once. */
  createWebhook(body: CreateWebhook, options: CallOptions = {}): Promise<WebhookWithSecret> {
    return this.call("POST", `/api/v2/partner/webhooks`, { body, timeoutMs: 15000, options });
  }

  /** The account's receivers, the newest first. */
  webhooks(options: CallOptions = {}): Promise<Webhook[]> {
    return this.call("GET", `/api/v2/partner/webhooks`, { timeoutMs: 15000, options });
  }

  /** Deletes a receiver: nothing more is sent to it. */
  deleteWebhook(webhookId: string, options: CallOptions = {}): Promise<Record<string, never>> {
    return this.call("DELETE", `/api/v2/partner/webhooks/${encodeURIComponent(webhookId)}`, {
      timeoutMs: 15000,
      options,
    });
  }

  /** What was sent to a receiver and is still to be sent, the newest first, of the last 30 days. */
  deliveries(
    webhookId: string,
    query: { state?: "PENDING" | "DELIVERED" | "DEAD"; cursor?: string; limit?: string } = {},
    options: CallOptions = {},
  ): Promise<DeliveryList> {
    return this.call("GET", `/api/v2/partner/webhooks/${encodeURIComponent(webhookId)}/deliveries`, {
      query,
      timeoutMs: 15000,
      options,
    });
  }

  /** Sends a delivery of type test. */
  testWebhook(webhookId: string, options: CallOptions = {}): Promise<Record<string, never>> {
    return this.call("POST", `/api/v2/partner/webhooks/${encodeURIComponent(webhookId)}/test`, {
      timeoutMs: 15000,
      options,
    });
  }

  /** Sends a delivery again, whatever became of it. */
  redeliver(webhookId: string, deliveryId: string, options: CallOptions = {}): Promise<Record<string, never>> {
    return this.call(
      "POST",
      `/api/v2/partner/webhooks/${encodeURIComponent(webhookId)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`,
      { timeoutMs: 15000, options },
    );
  }

  /** What the account has earned, its markups included. */
  balances(options: CallOptions = {}): Promise<Balance[]> {
    return this.call("GET", `/api/v2/partner/balances`, { timeoutMs: 15000, options });
  }

  /** Signs a call (version 2) and sends it. Throws a `WherryError` for each answer that is no success. */
  private async call<Answer>(
    method: string,
    path: string,
    { query = {}, body, idempotencyKey, timeoutMs, options }: Given,
  ): Promise<Answer> {
    const fields = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const search = new URLSearchParams(fields).toString();
    const target = search === "" ? path : `${path}?${search}`;
    const text = body === undefined ? "" : JSON.stringify(body);
    const time = AbortSignal.timeout(options.timeoutMs ?? this.#options.timeoutMs ?? timeoutMs);
    const signal = options.signal === undefined ? time : AbortSignal.any([options.signal, time]);
    const send = (timestamp: number) => this.#send<Answer>({ method, target, text, timestamp, idempotencyKey, signal });
    try {
      return await send(nextTime(this.#options.publicKey));
    } catch (error) {
      // Another program with this key made an equal call in the same millisecond. Nothing was done by this one.
      const isUsed =
        error instanceof WherryError &&
        error.httpStatus === 401 &&
        error.failure.data?.["X-Api-Signature"] !== undefined;
      if (!isUsed) throw error;
      return send(otherTime());
    }
  }

  async #send<Answer>({ method, target, text, timestamp, idempotencyKey, signal }: Sending): Promise<Answer> {
    const { origin, publicKey, secretKey } = this.#options;
    const digest = hexOf(await crypto.subtle.digest("SHA-256", bytesOf(text)));
    const signature = await hmac(secretKey, [timestamp, method, target, digest, publicKey].join("\n"));
    const response = await fetch(origin.replace(/\/+$/, "") + target, {
      method,
      headers: {
        "x-api-public-key": publicKey,
        "x-api-timestamp": `${timestamp}`,
        "x-api-signature": btoa(String.fromCharCode(...new Uint8Array(signature))),
        "x-api-signature-version": "2",
        ...(text !== "" && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(text !== "" && { body: text }),
      // Elsewhere the signature would still be unused, and good for half a minute.
      redirect: "manual",
      signal,
    });
    const answer = readJson(await response.text());
    if (response.ok && answer !== undefined) return answer as Answer;
    const failure = isFailure(answer) ? answer : foreignFailure(response.status);
    throw new WherryError(response.status, failure, secondsOf(response.headers.get("retry-after")));
  }
}

/** Whether a webhook is Wherry's and of the last five minutes; `header` is its X-Wherry-Signature, `body` its text as it came. */
export async function isWherryWebhook(
  secret: string,
  header: string,
  body: string,
  now = Date.now(),
): Promise<boolean> {
  const [, seconds = "", given = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const made = hexOf(await hmac(secret, `${seconds}.${body}`));
  let difference = made.length ^ given.length;
  for (let at = 0; at < made.length; at += 1) difference |= made.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0 && Math.abs(now / 1_000 - Number(seconds)) <= 300;
}

/** What a webhook is sent; `type` says which. */
export type WebhookEvent = OrderUpdated | WebhookTest;

/** What a webhook of Wherry brought; null where `isWherryWebhook` says that it is not Wherry's, or too old. */
export async function readWherryWebhook(
  secret: string,
  header: string,
  body: string,
  now = Date.now(),
): Promise<WebhookEvent | null> {
  return (await isWherryWebhook(secret, header, body, now)) ? (JSON.parse(body) as WebhookEvent) : null;
}
