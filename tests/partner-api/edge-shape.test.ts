import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { testApp, type TestApp } from "../support/http/http-app.ts";
import { partnerProgram, type PartnerProgram } from "../support/http/partner-program.ts";
import { createTestEngine, type TestEngine } from "../support/scenarios/test-engine.ts";

// What a wallet's swap plugin needs of a provider, in the wallet's own terms: assets by chain and contract, amounts in native units.

type Asset = { chainId: string; contractAddress: string | null };
const ETH: Asset = { chainId: "eip155:1", contractAddress: null };
const USDT: Asset = { chainId: "eip155:1", contractAddress: "0xdac17f958d2ee523a2206206994597c13d831ec7" };
const UNKNOWN: Asset = { chainId: "eip155:1", contractAddress: "0x0000000000000000000000000000000000000001" };

class SwapCurrencyError extends Error {}
class SwapLimitError extends Error {
  readonly kind: "above" | "below";
  readonly nativeFrom: string;
  readonly nativeTo: string;
  constructor(kind: "above" | "below", nativeFrom: string, nativeTo: string) {
    super(`${kind} limit`);
    this.kind = kind;
    this.nativeFrom = nativeFrom;
    this.nativeTo = nativeTo;
  }
}

type Listed = {
  slug: string;
  chainId: string | null;
  contractAddress: string | null;
  precisionDecimals: number;
  assetId: string;
};
type Quote = {
  fromNative: string;
  toNative: string;
  expiration: string;
  approve(toAddress: string): Promise<Approved>;
};
type Approved = { orderId: string; payTo: string; payAmount: string };

const fromNative = (native: string, decimals: number): string => {
  const digits = native.padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, "");
};

/** A plugin as a wallet has one for each provider: it knows nothing but the documented calls. */
class SwapPlugin {
  readonly #program: PartnerProgram;
  #assets: Listed[] = [];

  constructor(program: PartnerProgram) {
    this.#program = program;
  }

  async load(): Promise<this> {
    const { body } = await this.#program.send("GET", "/api/v2/partner/instruments");
    this.#assets = Object.values(body) as Listed[];
    return this;
  }

  async quote(
    from: Asset,
    to: Asset,
    native: string,
    quoteFor: "from" | "to",
    rateMode: "FLOATING" | "FIXED" = "FLOATING",
  ): Promise<Quote> {
    const [sent, got] = [this.#find(from), this.#find(to)];
    const counted = quoteFor === "from" ? sent : got;
    const query = new URLSearchParams({
      rateMode,
      instrumentFromSlug: sent.assetId,
      instrumentToSlug: got.assetId,
      claimedDepositAmount: fromNative(native, counted.precisionDecimals),
      claimedDepositAmountCurrency: counted.assetId,
      markupBps: "50",
    });
    const { http, body } = await this.#program.send("GET", `/api/v2/partner/rates?${query.toString()}`);
    if (http !== 200) throw this.#errorOf(body);
    const rate = body as Record<string, string>;
    return {
      fromNative: rate["amountToGiveUnits"] ?? "",
      toNative: rate["amountToGetUnits"] ?? "",
      expiration: rate["validUntil"] ?? "",
      approve: async (destinationAddress) => {
        const order = await this.#program.send("POST", "/api/v2/partner/orders", {
          idempotencyKey: `${destinationAddress} ${rate["updatedAt"]}`,
          body: {
            rateMode,
            instrumentFromSlug: sent.assetId,
            instrumentToSlug: got.assetId,
            destinationAddress,
            refundAddress: "home",
            claimedDepositAmount: rate["amountToGive"],
            claimedPublicRate: {
              price: rate["price"],
              updatedAt: rate["updatedAt"],
              claimedAmountToReceive: rate["amountToGet"],
            },
            markupBps: 50,
          },
        });
        if (order.http !== 201) throw this.#errorOf(order.body);
        const { orderId, depositAddress, claimedDepositAmountUnits } = order.body as Record<string, string>;
        return {
          orderId: orderId ?? "",
          payTo: depositAddress ?? "",
          payAmount: claimedDepositAmountUnits ?? "",
        };
      },
    };
  }

  /** Without a key: the wallet itself follows its user's order. */
  async status(orderId: string): Promise<string> {
    const answer = await app.inject(`/api/v1/orders/public/state?orderId=${orderId}`);
    expect(answer.statusCode).toBe(200);
    const body = answer.json<Record<string, string>>();
    // The id opens nothing else: it may have leaked.
    expect(Object.keys(body).toSorted()).toEqual(["orderId", "state"]);
    const { body: own } = await this.#program.send("GET", `/api/v2/partner/orders/${orderId}`);
    expect(own["state"]).toBe(body["state"]);
    return STATUSES[String(body["state"])] ?? "unknown";
  }

  /** What a user whom the order asks for a decision answers. */
  async decide(orderId: string, decision: "refund" | "accept"): Promise<void> {
    const { http } = await this.#program.send("POST", `/api/v2/partner/orders/${orderId}/${decision}`, { body: {} });
    expect(http).toBe(200);
  }

  /** Every transaction of a span, page by page. */
  async report(startDate: string, endDate: string): Promise<object[]> {
    const found: object[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query = new URLSearchParams({ from: startDate, to: endDate, limit: "1", ...(cursor !== "" && { cursor }) });
      const { body } = await this.#program.send("GET", `/api/v2/partner/orders?${query.toString()}`);
      const page = body as { items: ReportedOrder[]; nextCursor: string | null };
      found.push(...page.items.map(reported));
      cursor = page.nextCursor;
    }
    return found;
  }

  #find({ chainId, contractAddress }: Asset): Listed {
    const found = this.#assets.find(
      (one) => one.chainId === chainId && (one.contractAddress?.toLowerCase() ?? null) === contractAddress,
    );
    if (found === undefined) throw new SwapCurrencyError("the provider does not have this asset");
    return found;
  }

  #errorOf(body: Record<string, unknown>): Error {
    const { reasons = [] } = (body["data"] ?? {}) as { reasons?: Record<string, string>[] };
    for (const { status, sourceAmountLimitUnits = "0", destinationAmountLimitUnits = "0" } of reasons) {
      const kind = LIMITS[status ?? ""];
      if (kind !== undefined) return new SwapLimitError(kind, sourceAmountLimitUnits, destinationAmountLimitUnits);
    }
    return new SwapCurrencyError(String(body["message"]));
  }
}

const LIMITS: Record<string, "above" | "below"> = {
  ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL: "below",
  ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG: "above",
};
const STATUSES: Record<string, string> = {
  PENDING: "pending",
  PROCESSING: "processing",
  INFO_NEEDED: "infoNeeded",
  COMPLETED: "completed",
  REFUNDED: "refunded",
  EXPIRED: "expired",
};

type ReportedOrder = {
  orderId: string;
  state: string;
  createdAt: string;
  deposits: { txId: string; amountUnits: string }[];
  withdrawals: { kind: string; txId: string; amountUnits: string }[];
  orderEvents: { kind: string; at: string }[];
  depositAddress: string;
  destinationAddress: string;
  amountFromUsd: string;
  amountToUsd: string | null;
  pair: { instrumentFrom: Listed; instrumentTo: Listed };
};
const ENDS: readonly string[] = ["WITHDRAWAL_COMPLETED", "REFUND_COMPLETED"];
const reported = ({ pair, deposits, withdrawals, orderEvents, ...order }: ReportedOrder) => ({
  orderId: order.orderId,
  status: STATUSES[order.state],
  createdDate: order.createdAt,
  completedDate: orderEvents.find(({ kind }) => ENDS.includes(kind))?.at ?? null,
  source: {
    chainId: pair.instrumentFrom.chainId,
    contractAddress: pair.instrumentFrom.contractAddress,
    ...transactions(deposits),
    usd: order.amountFromUsd,
    address: order.depositAddress,
  },
  destination: {
    chainId: pair.instrumentTo.chainId,
    contractAddress: pair.instrumentTo.contractAddress,
    ...transactions(withdrawals.filter(({ kind }) => kind === "payout")),
    usd: order.amountToUsd,
    address: order.destinationAddress,
  },
  // In the coin that was sent.
  refund: transactions(withdrawals.filter(({ kind }) => kind === "refund")),
});
const transactions = (list: readonly { txId: string; amountUnits: string }[]) => ({
  txIds: list.map(({ txId }) => txId),
  nativeAmounts: list.map(({ amountUnits }) => amountUnits),
});

let database: TestDatabase;
let app: TestApp;
let chain: FakeChain;
let testEngine: TestEngine;
let plugin: SwapPlugin;
let program: PartnerProgram;
beforeAll(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  app = await testApp(database, { orderService: testEngine.engine.orderService });
  program = await partnerProgram(app);
  plugin = await new SwapPlugin(program).load();
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** While it lasts, the chain's accounts exist from a first payment of so much on, and none does yet. */
function accountsNeed(accountReserve: bigint): Disposable {
  Object.assign(chain, { accountReserve, accountExists: async () => false });
  return { [Symbol.dispose]: () => Object.assign(chain, { accountReserve: undefined, accountExists: undefined }) };
}

test("a wallet quotes both ways, by chain and contract, in native units, and knows until when", async () => {
  const sent = await plugin.quote(ETH, USDT, "500000000000000000", "from");
  expect(sent.fromNative).toBe("500000000000000000");
  const got = await plugin.quote(ETH, USDT, sent.toNative, "to");
  expect(got.toNative).toBe(sent.toNative);
  expect(BigInt(got.fromNative)).toBeLessThanOrEqual(BigInt(sent.fromNative));
  expect(Date.parse(sent.expiration)).toBeGreaterThan(app.market.now.getTime());
  await expect(plugin.quote(UNKNOWN, USDT, "1", "from")).rejects.toBeInstanceOf(SwapCurrencyError);
});

test("a wallet turns a limit into an amount that is taken, in the coin that its user typed", async () => {
  for (const [native, quoteFor] of [
    ["1000000000000", "from"],
    ["1000000000000000000000000", "from"],
    ["1000", "to"],
    ["1000000000000000", "to"],
  ] as const) {
    const refused: unknown = await plugin.quote(ETH, USDT, native, quoteFor).catch((error: unknown) => error);
    if (!(refused instanceof SwapLimitError)) throw new Error("no limit was named", { cause: refused });
    expect(refused.kind).toBe(BigInt(native) <= 1_000_000_000_000n ? "below" : "above");
    const limit = quoteFor === "from" ? refused.nativeFrom : refused.nativeTo;
    expect(await plugin.quote(ETH, USDT, limit, quoteFor)).toMatchObject({ expiration: expect.any(String) });
  }
});

const TIME = /^\d{4}-\d\d-\d\dT.*Z$/;
const span = (): [from: string, to: string] => [
  new Date(Date.now() - 3_600_000).toISOString(),
  new Date(Date.now() + 3_600_000).toISOString(),
];
const blocks = async (count: number) => {
  for (let block = 0; block < count; block += 1) {
    chain.mine();
    await testEngine.settle();
  }
};
/** An order at a fixed rate whose user sends another sum: it needs a decision. */
const undecided = async (toAddress: string): Promise<Approved> => {
  const approved = await (await plugin.quote(ETH, USDT, "500000000000000000", "from", "FIXED")).approve(toAddress);
  chain.deposit(approved.payTo, "eth", 4n * 10n ** 17n);
  await blocks(6);
  expect(await plugin.status(approved.orderId)).toBe("infoNeeded");
  return approved;
};

test("a wallet hears at once of every asset that the provider does not have", async () => {
  const query = new URLSearchParams({
    instrumentFromSlug: "eip155:1/erc20:0x0000000000000000000000000000000000000001",
    instrumentToSlug: "eip155:56/slip44:714",
    claimedDepositAmount: "1",
  });
  const unknown = expect.stringContaining("CAIP-19");
  expect(await program.send("GET", `/api/v2/partner/rates?${query.toString()}`)).toMatchObject({
    http: 400,
    body: { status: "ERR_VALIDATION", data: { instrumentFromSlug: unknown, instrumentToSlug: unknown } },
  });
});

test("a wallet whose user's account is too new for the amount learns what would open it, in both coins, and swaps that", async () => {
  using _account = accountsNeed(10n ** 17n);
  const quote = await plugin.quote(USDT, ETH, "100000000", "from");
  const refused: unknown = await quote.approve("unopened").catch((error: unknown) => error);
  if (!(refused instanceof SwapLimitError)) throw new Error("no limit was named", { cause: refused });
  expect(refused).toMatchObject({ kind: "below", nativeTo: `${10n ** 17n}` });
  expect(BigInt(refused.nativeFrom)).toBeGreaterThan(300_000_000n);
  const enough = await plugin.quote(USDT, ETH, refused.nativeFrom, "from");
  expect(BigInt(enough.toNative)).toBeGreaterThanOrEqual(BigInt(refused.nativeTo));
  expect(await enough.approve("unopened")).toMatchObject({ payAmount: refused.nativeFrom });
});

test("a wallet whose user sends another sum gets it back, and reports the refund with its transaction", async () => {
  const { orderId } = await undecided("never-paid");
  await plugin.decide(orderId, "refund");
  await blocks(6);
  expect(await plugin.status(orderId)).toBe("refunded");
  expect(chain.received("home", "eth")).toHaveLength(1);
  const [newest] = await plugin.report(...span());
  expect(newest).toMatchObject({
    orderId,
    status: "refunded",
    completedDate: expect.stringMatching(TIME),
    source: { txIds: [expect.any(String)], nativeAmounts: ["400000000000000000"] },
    destination: { txIds: [], nativeAmounts: [], usd: null },
    refund: { txIds: [expect.any(String)], nativeAmounts: [expect.stringMatching(/^39\d{16}$/)] },
  });
});

test("a wallet whose user accepts the new rate instead gets the swap of what was sent", async () => {
  const { orderId } = await undecided("paid-at-last");
  await plugin.decide(orderId, "accept");
  await blocks(6);
  expect(await plugin.status(orderId)).toBe("completed");
  expect(chain.received("paid-at-last", "usdt-erc20")).toHaveLength(1);
  const [newest] = await plugin.report(...span());
  expect(newest).toMatchObject({
    orderId,
    status: "completed",
    source: { nativeAmounts: ["400000000000000000"], usd: "1200" },
  });
});

test("a wallet swaps, follows the order to its end and reports it", async () => {
  const quote = await plugin.quote(ETH, USDT, "500000000000000000", "from");
  const { orderId, payTo, payAmount } = await quote.approve("destination");
  expect(payAmount).toBe(quote.fromNative);
  const unknown = await app.inject(`/api/v1/orders/public/state?orderId=${"A".repeat(22)}`);
  expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { status: "ERR_NOT_FOUND_E" }]);
  expect(await plugin.status(orderId)).toBe("pending");
  chain.deposit(payTo, "eth", BigInt(payAmount));
  await blocks(1);
  expect(await plugin.status(orderId)).toBe("processing");
  await blocks(6);
  expect(await plugin.status(orderId)).toBe("completed");

  await quote.approve("another");
  const [from, to] = span();
  expect(await plugin.report(to, from)).toEqual([]);
  const report = await plugin.report(from, to);
  expect(report[0]).toMatchObject({ status: "pending", completedDate: null });
  expect(report[1]).toEqual({
    orderId,
    status: "completed",
    refund: { txIds: [], nativeAmounts: [] },
    createdDate: expect.stringMatching(TIME),
    completedDate: expect.stringMatching(TIME),
    source: {
      chainId: "eip155:1",
      contractAddress: null,
      txIds: [expect.any(String)],
      nativeAmounts: ["500000000000000000"],
      usd: "1500",
      address: payTo,
    },
    destination: {
      chainId: "eip155:1",
      contractAddress: expect.stringMatching(/^0xdac17f/i),
      txIds: [expect.any(String)],
      nativeAmounts: [expect.any(String)],
      usd: expect.any(String),
      address: "destination",
    },
  });
});
