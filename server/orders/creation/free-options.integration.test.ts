import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listHeld } from "../../treasury/operator/held.ts";
import { recordSentQueries } from "../../../tests/support/database/sent-queries.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, kindsOf, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";

const ETH = 10n ** 18n;
const HALF_ETH = ETH / 2n;
const MINUTE = 60;
const DAY = 86_400;
const client = { key: "attacker", traceId: "t" };
const fixed = orderBody({ rateMode: "FIXED", refundAddress: "refund" });

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
/** Seconds that the business clock is ahead. */
let passed = 0;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  passed = 0;
  testEngine = await createTestEngine({
    database,
    reader: chain,
    wallet: chain,
    now: () => new Date(Date.now() + passed * 1000),
  });
  await testEngine.settle();
});
afterEach(() => database.drop());

const service = () => testEngine.engine.orderService;
const info = (orderId: string) => service().info(orderId, "destination");
const ethCosts = (usd: bigint) => testEngine.rates.prices.set("eth", usd * ETH);
const accept = (orderId: string) => service().acceptRateModeChange({ orderId, destinationAddress: "destination" });
const mine = async (blocks = 1) => {
  for (let mined = 0; mined < blocks; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
};
const pay = async (address: string, amount: bigint, blocks = 1) => {
  const txId = chain.deposit(address, "eth", amount);
  await mine(blocks);
  return txId;
};
/** The mempool shows it, and no block. */
const wait = async (address: string, amount: bigint) => {
  chain.deposit(address, "eth", amount);
  await testEngine.settle();
};
/** Blocks that leave what waits where it is. */
const mineOthers = async (blocks: number) => {
  for (let mined = 0; mined < blocks; mined += 1) {
    const waiting = chain.pending.splice(0);
    chain.mine();
    chain.pending.push(...waiting);
    await testEngine.settle();
  }
};
const reviews = () =>
  database.kysely.selectFrom("deposits").select("review_reason").where("review_reason", "is not", null).execute();

describe("an offer", () => {
  const offered = async () => {
    const order = await service().create(fixed, client);
    await pay(order.depositAddress, HALF_ETH);
    ethCosts(2500n);
    await mine(3);
    return order.orderId;
  };

  it("ends: accepting it later gets a fresh one, which is stored and named in the error", async () => {
    const orderId = await offered();
    const first = (await info(orderId)).offer;
    expect(Date.parse(first?.validUntil ?? "") - Date.parse(first?.at ?? "")).toBe(600_000);
    passed = 3 * DAY;
    ethCosts(2455n);
    const failure: unknown = await accept(orderId).catch((error: unknown) => error);
    const { offer } = await info(orderId);
    expect(failure).toMatchObject({ code: "ERR_UNPROCESSABLE_ENTITY", data: { offer } });
    expect(Number(offer?.amountToGet)).toBeLessThan(Number(first?.amountToGet));
    await accept(orderId);
    await mine(3);
    expect((await info(orderId)).withdrawals).toMatchObject([{ amount: offer?.amountToGet }]);
  });

  it("is not renewed by itself while the page is hidden", async () => {
    const orderId = await offered();
    passed = DAY;
    await mine(3);
    expect(kindsOf(await info(orderId)).filter((kind) => kind === "RATE_MODE_CHANGED")).toHaveLength(1);
  });

  it("can't be accepted for a deposit that is in no block", async () => {
    const order = await service().create(fixed, client);
    passed = 21 * MINUTE;
    await wait(order.depositAddress, HALF_ETH);
    expect((await info(order.orderId)).offer).not.toBeNull();
    await expect(accept(order.orderId)).rejects.toMatchObject({ code: "ERR_UNPROCESSABLE_ENTITY" });
  });
});

describe("a fixed rate", () => {
  it("does not stay for a fraction of the deposit: the sum that completes the amount must be in time", async () => {
    const order = await service().create(fixed, client);
    await pay(order.depositAddress, 10n ** 15n);
    passed = 21 * MINUTE;
    ethCosts(2950n);
    chain.deposit(order.depositAddress, "eth", HALF_ETH - 10n ** 15n);
    await mine(1);
    const seen = kindsOf(await info(order.orderId));
    expect(seen.slice(-2)).toEqual(["FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"]);
  });

  it("stays for a deposit that a mempool showed in time, once its block comes", async () => {
    const order = await service().create(fixed, client);
    await wait(order.depositAddress, HALF_ETH);
    const waiting = await info(order.orderId);
    expect(waiting.status).toBe("INCOMING_FUNDS_DETECTED");
    expect(waiting.deposits).toMatchObject([{ amount: "0.5", confirmations: 0 }]);
    passed = 40 * MINUTE;
    await mine(5);
    const done = await info(order.orderId);
    expect(done.status).toBe("WITHDRAWAL_COMPLETED");
    expect(done.withdrawals[0]?.amount).toBe(order.amountToGet);
  });

  it("is never paid from a mempool", async () => {
    const order = await service().create(fixed, client);
    await wait(order.depositAddress, HALF_ETH);
    await mineOthers(10);
    expect((await info(order.orderId)).status).toBe("INCOMING_FUNDS_DETECTED");
    expect(chain.received("destination", "usdt-erc20")).toEqual([]);
  });

  it("is closed once it is complete: what comes later goes back by itself", async () => {
    const order = await service().create(fixed, client);
    await pay(order.depositAddress, HALF_ETH);
    await pay(order.depositAddress, ETH);
    await mine(8);
    const done = await info(order.orderId);
    expect(done.withdrawals).toMatchObject([{ kind: "payout", amount: order.amountToGet }]);
    expect(kindsOf(done).filter((kind) => kind === "DEPOSIT_REGISTERED")).toHaveLength(1);
    expect(chain.received("refund", "eth")).toEqual([ETH - testEngine.rates.fee]);
  });

  it("is not touched by what is too small to count, which waits for an operator", async () => {
    testEngine.rates.min = 2n * 10n ** 15n;
    const order = await service().create(fixed, client);
    await pay(order.depositAddress, 10n ** 12n);
    expect((await info(order.orderId)).status).toBe("CREATION_END");
    expect((await info(order.orderId)).attention).toEqual({
      reason: "BELOW_MINIMUM",
      expected: "0.002",
      received: "0.000001",
      countsFrom: expect.stringMatching(/^0\.00\d+$/),
    });
    expect((await info(order.orderId)).deposits).toMatchObject([{ isCounted: false }]);
    await pay(order.depositAddress, HALF_ETH);
    await pay(order.depositAddress, 10n ** 12n);
    await mine(6);
    expect((await info(order.orderId)).withdrawals[0]?.amount).toBe(order.amountToGet);
    expect(await reviews()).toEqual([{ review_reason: "dust" }, { review_reason: "dust" }]);
  });
});

describe("thousands of tiny deposits to one order", () => {
  it("are set aside by one statement, and neither listed nor put in review one by one", async () => {
    testEngine.rates.min = 2n * 10n ** 15n;
    const order = await service().create(fixed, client);
    for (let n = 0; n < 300; n += 1) chain.deposit(order.depositAddress, "eth", 10n ** 12n);
    const sent: string[] = [];
    const stop = recordSentQueries((text) => sent.push(text));
    await mine();
    stop();
    expect(sent.filter((text) => /update "deposits" set "review_reason" = \$1 where "id"/.test(text))).toHaveLength(1);
    expect(await reviews()).toHaveLength(300);
    expect((await info(order.orderId)).deposits).toHaveLength(100);
    expect((await listHeld(database)).filter(({ reason }) => reason === "dust")).toHaveLength(1);

    await pay(order.depositAddress, HALF_ETH);
    await mine(6);
    expect((await info(order.orderId)).withdrawals[0]?.amount).toBe(order.amountToGet);
  });
});

describe("the exposure of a pair", () => {
  /** 334 ETH is over a million USD, twice the bound of one pair. */
  const LARGE = { ...fixed, claimedDepositAmount: "166" };

  it("counts what a tiny deposit has opened, and what only a mempool has paid", async () => {
    const first = await service().create(LARGE, client);
    await expect(service().create(LARGE, client)).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
    await pay(first.depositAddress, ETH);
    await expect(service().create(LARGE, client)).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
    await wait(first.depositAddress, 165n * ETH);
    await expect(service().create(LARGE, client)).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
  });

  it("ends with the funds, with the rate lock and with an offer", async () => {
    const first = await service().create(LARGE, client);
    await pay(first.depositAddress, 166n * ETH);
    const second = await service().create(LARGE, client);
    passed = 21 * MINUTE;
    await pay(second.depositAddress, 166n * ETH);
    expect((await info(second.orderId)).offer).not.toBeNull();
    await expect(service().create(LARGE, client)).rejects.toMatchObject({ code: "ERR_NOT_ACCEPTABLE" });
    passed = 32 * MINUTE;
    await service().create(LARGE, client);
  });
});

describe("an order that nobody pays", () => {
  it("expires, and its late coins go back to the refund address that it was given", async () => {
    const order = await service().create(orderBody({ refundAddress: "refund" }), client);
    expect(order.refundAddress).toBe("refund");
    await testEngine.engine.expireOrders();
    expect((await info(order.orderId)).status).toBe("CREATION_END");
    passed = DAY + 1;
    await testEngine.engine.expireOrders();
    const over = await info(order.orderId);
    expect(over).toMatchObject({ status: "expired", orderEvents: [{ kind: "CREATION_END" }] });
    await pay(order.depositAddress, HALF_ETH, 6);
    expect((await info(order.orderId)).status).toBe("expired");
    expect(chain.received("refund", "eth")).toEqual([HALF_ETH - testEngine.rates.fee]);
  });

  it("without a refund address leaves late coins to an operator, and says so", async () => {
    const order = await service().create(orderBody(), client);
    passed = DAY + 1;
    await pay(order.depositAddress, HALF_ETH, 4);
    expect(await info(order.orderId)).toMatchObject({
      status: "expired",
      review: { reason: "LATE_DEPOSIT", needed: "OPERATOR", until: null },
    });
  });

  it("does not expire when a deposit was seen in time, however late it is handled", async () => {
    const order = await service().create(orderBody(), client);
    passed = DAY - 60;
    chain.deposit(order.depositAddress, "eth", HALF_ETH);
    chain.mine();
    for (const follower of testEngine.engine.followers.values()) while (await follower.turn());
    passed = DAY + 60;
    await testEngine.engine.expireOrders();
    expect((await info(order.orderId)).status).toBe("INCOMING_FUNDS_DETECTED");
  });
});
