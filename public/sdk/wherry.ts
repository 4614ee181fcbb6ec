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
  readonly failure: Failure;
  constructor(httpStatus: number, failure: Failure) {
    super(failure.message);
    this.name = "WherryError";
    this.httpStatus = httpStatus;
    this.failure = failure;
  }
}

export type WherryOptions = {
  publicKey: string;
  secretKey: string;
  /** Where Wherry is, such as https://wherry.example. */
  origin: string;
};

type Given = {
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
  idempotencyKey?: string | undefined;
};

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const hmac = async (secret: string, text: string): Promise<ArrayBuffer> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, ["sign"]);
  return crypto.subtle.sign("HMAC", key, bytesOf(text));
};

export class WherryClient {
  readonly #options: WherryOptions;
  #last = 0;

  constructor(options: WherryOptions) {
    this.#options = options;
  }

  /** The instruments that can be exchanged, with their chains and assets by CAIP-2 and CAIP-19. */
  instruments(): Promise<Instrument[]> {
    return this.call("GET", `/api/v2/partner/instruments`);
  }

  /** Which instruments each instrument can be exchanged to. */
  pairs(): Promise<PairList> {
    return this.call("GET", `/api/v2/partner/pairs`);
  }

  /** A rate in either direction, a markup included; a refusal names all its reasons in data.reasons. */
  rate(query: {
    instrumentFromSlug: string;
    instrumentToSlug: string;
    claimedDepositAmount: string;
    claimedDepositAmountCurrency?: string;
    rateMode?: "FIXED" | "FLOATING";
    markupBps?: string;
  }): Promise<Rate> {
    return this.call("GET", `/api/v2/partner/rates`, { query });
  }

  /** Creates an order for a customer; the Idempotency-Key is obligatory. */
  createOrder(body: CreateOrder, idempotencyKey: string): Promise<Order> {
    return this.call("POST", `/api/v2/partner/orders`, { body, idempotencyKey });
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
  ): Promise<OrderList> {
    return this.call("GET", `/api/v2/partner/orders`, { query });
  }

  /** One of the orders that the account's programs made. */
  order(orderId: string): Promise<Order> {
    return this.call("GET", `/api/v2/partner/orders/${encodeURIComponent(orderId)}`);
  }

  /** Asks for a deposit back. */
  refund(
    orderId: string,
    body: { refundAddress?: string | null; refundAddressMemo?: string | null },
    idempotencyKey?: string,
  ): Promise<Order> {
    return this.call("POST", `/api/v2/partner/orders/${encodeURIComponent(orderId)}/refund`, { body, idempotencyKey });
  }

  /** Takes the floating rate that was offered when a fixed rate ended. */
  accept(orderId: string, body: Record<string, never>, idempotencyKey?: string): Promise<Order> {
    return this.call("POST", `/api/v2/partner/orders/${encodeURIComponent(orderId)}/accept`, { body, idempotencyKey });
  }

  /** Adds a receiver of order.updated, and answers the secret that its deliveries are signed with, once. */
  createWebhook(body: CreateWebhook): Promise<WebhookWithSecret> {
    return this.call("POST", `/api/v2/partner/webhooks`, { body });
  }

  /** The account's receivers, the newest first. */
  webhooks(): Promise<Webhook[]> {
    return this.call("GET", `/api/v2/partner/webhooks`);
  }

  /** Deletes a receiver: nothing more is sent to it. */
  deleteWebhook(webhookId: string): Promise<Record<string, never>> {
    return this.call("DELETE", `/api/v2/partner/webhooks/${encodeURIComponent(webhookId)}`);
  }

  /** What was sent to a receiver and is still to be sent, the newest first, of the last 30 days. */
  deliveries(
    webhookId: string,
    query: { state?: "PENDING" | "DELIVERED" | "DEAD"; cursor?: string; limit?: string } = {},
  ): Promise<DeliveryList> {
    return this.call("GET", `/api/v2/partner/webhooks/${encodeURIComponent(webhookId)}/deliveries`, { query });
  }

  /** Sends a delivery of type test. */
  testWebhook(webhookId: string): Promise<Record<string, never>> {
    return this.call("POST", `/api/v2/partner/webhooks/${encodeURIComponent(webhookId)}/test`);
  }

  /** Sends a delivery again, whatever became of it. */
  redeliver(webhookId: string, deliveryId: string): Promise<Record<string, never>> {
    return this.call(
      "POST",
      `/api/v2/partner/webhooks/${encodeURIComponent(webhookId)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`,
    );
  }

  /** What the account has earned, its markups included. */
  balances(): Promise<Balance[]> {
    return this.call("GET", `/api/v2/partner/balances`);
  }

  /** Signs a call (version 2) and sends it. Throws a `WherryError` for each answer that is no success. */
  private async call<Answer>(
    method: string,
    path: string,
    { query = {}, body, idempotencyKey }: Given = {},
  ): Promise<Answer> {
    const { origin, publicKey, secretKey } = this.#options;
    const fields = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const search = new URLSearchParams(fields).toString();
    const target = search === "" ? path : `${path}?${search}`;
    const text = body === undefined ? "" : JSON.stringify(body);
    // Each signature is taken once, so no two calls have one time stamp.
    this.#last = Math.max(this.#last + 1, Date.now());
    const timestamp = `${this.#last}`;
    const digest = hexOf(await crypto.subtle.digest("SHA-256", bytesOf(text)));
    const signature = await hmac(secretKey, [timestamp, method, target, digest, publicKey].join("\n"));
    const response = await fetch(origin + target, {
      method,
      headers: {
        "x-api-public-key": publicKey,
        "x-api-timestamp": timestamp,
        "x-api-signature": btoa(String.fromCharCode(...new Uint8Array(signature))),
        "x-api-signature-version": "2",
        ...(text !== "" && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(text !== "" && { body: text }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new WherryError(response.status, answer as Failure);
    return answer as Answer;
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
