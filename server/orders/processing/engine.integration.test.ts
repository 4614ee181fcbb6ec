import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stepIndex } from "#contract/order-progress.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { createTestEngine, kindsOf, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import type { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { fakeChainSetup, mineAndSettleEach } from "../../../tests/support/chains/fake-chain-setup.ts";

const HALF_ETH = 5n * 10n ** 17n;
const client = { key: "test", traceId: "test" };

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;

beforeEach(async () => {
  ({ database, chain, testEngine } = await fakeChainSetup());
});
afterEach(() => database.drop());

const mineAndSettle = (blocks: number) => mineAndSettleEach({ chain, testEngine }, blocks);
const info = (orderId: string) => testEngine.engine.orderService.info(orderId, "destination");

describe("a floating swap", () => {
  it("goes from the deposit over its confirmations to one payout and a complete ledger", async () => {
    const created = await testEngine.engine.orderService.create(orderBody(), client);
    expect(created).toMatchObject({
      status: "CREATION_END",
      claimedDepositAmount: "0.5",
      amountToGet: "1491.5",
      deposits: [],
    });

    chain.deposit(created.depositAddress, "eth", HALF_ETH);
    await mineAndSettle(1);
    const seen = await info(created.orderId);
    expect(kindsOf(seen)).toEqual(["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"]);
    expect(seen.deposits).toMatchObject([{ amount: "0.5", confirmations: 1, requiredConfirmations: 3 }]);
    expect(chain.received("destination", "usdt-erc20")).toEqual([]);

    await mineAndSettle(2);
    expect((await info(created.orderId)).status).toBe("FUNDS_WITHDRAWAL_START");
    await mineAndSettle(1);
    const done = await info(created.orderId);
    expect(stepIndex(done.orderEvents)).toBe(3);
    expect(done.withdrawals).toMatchObject([{ amount: "1491.5", kind: "payout", confirmations: 1 }]);
    expect(chain.received("destination", "usdt-erc20")).toEqual([1_491_500_000n]);

    await mineAndSettle(4);
    expect(chain.received("destination", "usdt-erc20")).toEqual([1_491_500_000n]);
    const accounts = await database.kysely.selectFrom("ledger_accounts").select(["name", "slug", "balance"]).execute();
    const balance = (name: string, slug: string) =>
      accounts.find((one) => one.name === name && one.slug === slug)?.balance;
    expect(balance("deposits", "eth")).toBe(-HALF_ETH);
    expect(balance("hot", "eth")).toBe(21n);
    expect(balance("hot", "usdt-erc20")).toBe(1_491_500_000n);
    expect(balance("customers", "usdt-erc20")).toBe(0n);
    expect(balance("revenue", "usdt-erc20")).toBe(8_500_000n);
    const { state } = await database.kysely.selectFrom("payouts").select("state").executeTakeFirstOrThrow();
    expect(state).toBe("final");
    expect(await testEngine.engine.orderService.latest()).toMatchObject([{ amountFrom: "0.5", amountTo: "1500" }]);
    expect(await testEngine.engine.orderService.stats()).toMatchObject({
      ordersTotal: 1,
      orders24h: 1,
      completedShare: 1,
    });
  });

  it("pays what the deposit is worth when it is confirmed", async () => {
    const { orderId, depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.deposit(depositAddress, "eth", 2n * HALF_ETH);
    await mineAndSettle(1);
    testEngine.rates.prices.set("eth", 2000n * 10n ** 18n);
    await mineAndSettle(4);
    expect((await info(orderId)).withdrawals[0]?.amount).toBe("1989");
  });

  it("drops a deposit that a reorganisation removes, and counts it again when it comes back", async () => {
    const { orderId, depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(2);
    chain.reorg(2, true);
    await testEngine.settle();
    expect((await info(orderId)).deposits).toEqual([]);
    await mineAndSettle(1);
    expect((await info(orderId)).deposits).toMatchObject([{ confirmations: 1 }]);
    await mineAndSettle(3);
    expect(kindsOf(await info(orderId)).filter((kind) => kind === "DEPOSIT_REGISTERED")).toHaveLength(1);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
  });

  it("puts a deposit into review that a reorganisation hid while its order was settled without it", async () => {
    const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(1);
    const hidden = chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(1);
    chain.reorg(1, true);
    const waiting = chain.pending.splice(0);
    await mineAndSettle(2);
    chain.pending.push(...waiting);
    await mineAndSettle(4);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
    const held = database.kysely.selectFrom("deposits").select("tx_id").where("review_reason", "=", "after_settlement");
    expect(await held.execute()).toEqual([{ tx_id: hidden }]);
  });

  it("completes a payout that was mined longer ago than blocks are stored", async () => {
    const { orderId, depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(3);
    expect((await info(orderId)).status).toBe("FUNDS_WITHDRAWAL_START");
    chain.mine(300);
    await testEngine.settle();
    expect((await info(orderId)).status).toBe("WITHDRAWAL_COMPLETED");
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
  }, 60_000);

  it("survives a reorganisation of blocks from before its first start", async () => {
    const fresh = await freshDatabase();
    chain.mine(10);
    const late = await createTestEngine({ database: fresh, reader: chain, wallet: chain });
    await late.settle();
    chain.reorg(8);
    await late.settle();
    const { depositAddress } = await late.engine.orderService.create(orderBody(), client);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    for (let mined = 0; mined < 5; mined += 1) {
      chain.mine();
      await late.settle();
    }
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
    await fresh.drop();
  });

  it("sends the same bytes again when the payout is reorganised away", async () => {
    const { orderId, depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(4);
    expect((await info(orderId)).status).toBe("WITHDRAWAL_COMPLETED");
    chain.reorg(1);
    await testEngine.settle();
    await mineAndSettle(5);
    expect(chain.received("destination", "usdt-erc20")).toEqual([1_491_500_000n]);
    expect(kindsOf(await info(orderId)).filter((kind) => kind === "WITHDRAWAL_COMPLETED")).toHaveLength(1);
  });

  it.each(["lost-reply", "lost-request"] as const)("pays once when a broadcast has a %s", async (fault) => {
    const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.broadcastFaults = [fault];
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(8);
    expect(chain.received("destination", "usdt-erc20")).toEqual([1_491_500_000n]);
  });

  it("puts a wrong asset and a deposit after the end into review", async () => {
    const { orderId, depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.deposit(depositAddress, "usdc-erc20", 5_000_000n);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(5);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(5);
    const held = await database.kysely.selectFrom("deposits").select(["slug", "review_reason"]).orderBy("id").execute();
    expect(held).toEqual([
      { slug: "usdc-erc20", review_reason: "wrong_asset" },
      { slug: "eth", review_reason: null },
      { slug: "eth", review_reason: "after_settlement" },
    ]);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
    expect((await info(orderId)).status).toBe("WITHDRAWAL_COMPLETED");
  });

  it("asks an operator for no wrong asset that is worth less than what counts: anybody may send thousands", async () => {
    const { orderId, depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    for (let sent = 0; sent < 150; sent += 1) chain.deposit(depositAddress, "usdc-erc20", 1_999_999n);
    await mineAndSettle(2);
    const { rows } = await database.pool.query("select review_reason, count(*)::int from deposits group by 1");
    expect(rows).toEqual([{ review_reason: "dust", count: 150 }]);
    const shown = await info(orderId);
    expect(shown).toMatchObject({ status: "CREATION_END", attention: null, review: null });
    chain.deposit(depositAddress, "usdc-erc20", 2_000_000n);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(5);
    expect((await info(orderId)).review).toMatchObject({ reason: "WRONG_ASSET" });
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
  });

  it("keeps a paid order waiting while the hot wallet's balance is too low, and pays afterwards", async () => {
    const { orderId, depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.balances.set("usdt-erc20", 1n);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(6);
    expect((await info(orderId)).status).toBe("FUNDS_WITHDRAWAL_START");
    chain.balances.set("usdt-erc20", 10n ** 12n);
    await database.kysely
      .updateTable("payouts")
      .set({ next_attempt_at: new Date(0) })
      .execute();
    await testEngine.settle();
    await mineAndSettle(1);
    expect((await info(orderId)).status).toBe("WITHDRAWAL_COMPLETED");
  });

  it("signs nothing that the order itself does not demand", async () => {
    const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.isDown = false;
    chain.deposit(depositAddress, "eth", HALF_ETH);
    chain.balances.set("usdt-erc20", 0n);
    await mineAndSettle(4);
    chain.balances.delete("usdt-erc20");
    await database.kysely
      .updateTable("payouts")
      .set({ to_address: "thief", next_attempt_at: new Date(0) })
      .execute();
    await mineAndSettle(2);
    expect(chain.received("thief", "usdt-erc20")).toEqual([]);
    const payout = await database.kysely
      .selectFrom("payouts")
      .select(["state", "review_reason"])
      .executeTakeFirstOrThrow();
    expect(payout).toEqual({ state: "review", review_reason: "not_authorised" });
  });
});

describe("a fixed order", () => {
  const fixed = orderBody({ rateMode: "FIXED", refundAddress: "refund" });

  it("waits for the customer's choice when the market has moved, and pays nothing", async () => {
    const { orderId, depositAddress } = await testEngine.engine.orderService.create(fixed, client);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(1);
    testEngine.rates.prices.set("eth", 2500n * 10n ** 18n);
    await mineAndSettle(4);
    const order = await info(orderId);
    expect(kindsOf(order).slice(3)).toEqual(["FIXED_RATE_HIGH_VOLATILITY_DETECTED", "RATE_MODE_CHANGED"]);
    expect(order.offer).toMatchObject({ amountToGet: "1242.75" });
    expect(chain.received("destination", "usdt-erc20")).toEqual([]);
  });

  it("needs a refund address that is not the destination", async () => {
    for (const refundAddress of ["", null, "Destination", "no address"]) {
      await expect(testEngine.engine.orderService.create({ ...fixed, refundAddress }, client)).rejects.toMatchObject({
        code: "ERR_VALIDATION",
      });
    }
    expect(await database.kysely.selectFrom("orders").select("id").execute()).toEqual([]);
  });
});

describe("the customer's choice", () => {
  const fixed = orderBody({ rateMode: "FIXED", refundAddress: "refund" });
  const eth = 10n ** 18n;

  const changedOrder = async (body = fixed) => {
    const order = await testEngine.engine.orderService.create(body, client);
    chain.deposit(order.depositAddress, "eth", HALF_ETH);
    await mineAndSettle(1);
    testEngine.rates.prices.set("eth", 2500n * eth);
    await mineAndSettle(3);
    return order;
  };
  const refundOf = async (orderId: string, refundAddress = "refund") => {
    const quoted = await testEngine.engine.orderService.refundInfo(orderId);
    return {
      orderId,
      destinationAddress: "destination",
      refundAddress,
      refundAmount: quoted.refundAmountWithoutNetworkFee,
      claimedNetworkFee: quoted.networkFee,
    };
  };

  it("sends the deposit back to the address that was set, once, with a complete ledger", async () => {
    const { orderId } = await changedOrder();
    const body = await refundOf(orderId);
    expect(await testEngine.engine.orderService.requestRefund(body)).toMatchObject({ status: "REFUND_REQUESTED" });
    await testEngine.engine.orderService.requestRefund(body);
    await expect(
      testEngine.engine.orderService.requestRefund({ ...body, refundAddress: "thief" }),
    ).rejects.toMatchObject({
      code: "ERR_UNPROCESSABLE_ENTITY",
    });
    await mineAndSettle(6);
    const done = await info(orderId);
    expect(done.status).toBe("REFUND_COMPLETED");
    expect(kindsOf(done)).not.toContain("REFUND_STARTED");
    expect(done.withdrawals).toMatchObject([{ kind: "refund", amount: body.refundAmount }]);
    expect(chain.received("refund", "eth")).toEqual([HALF_ETH - testEngine.rates.fee]);
    expect(chain.received("destination", "usdt-erc20")).toEqual([]);
    const remaining = await database.kysely
      .selectFrom("ledger_accounts")
      .select("balance")
      .where("name", "=", "customers")
      .execute();
    expect(remaining.filter(({ balance }) => balance !== 0n)).toEqual([]);
  });

  it("pays the accepted offer as it was made", async () => {
    const { orderId } = await changedOrder();
    const offered = (await info(orderId)).offer?.amountToGet;
    testEngine.rates.prices.set("eth", 2490n * eth);
    await testEngine.engine.orderService.acceptRateModeChange({ orderId, destinationAddress: "destination" });
    testEngine.rates.prices.set("eth", 9000n * eth);
    await mineAndSettle(3);
    expect((await info(orderId)).withdrawals[0]?.amount).toBe(offered);
  });

  it("has one winner among fifty calls at once, and nothing is sent twice", async () => {
    const { orderId } = await changedOrder();
    const body = await refundOf(orderId);
    const accept = { orderId, destinationAddress: "destination" };
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) =>
        at % 3 === 1
          ? testEngine.engine.orderService.acceptRateModeChange(accept)
          : testEngine.engine.orderService.requestRefund(body),
      ),
    );
    expect(results.some((result) => result.status === "fulfilled")).toBe(true);
    await mineAndSettle(6);
    const kinds = kindsOf(await info(orderId));
    expect(kinds.includes("REFUND_REQUESTED")).not.toBe(kinds.includes("RATE_MODE_CHANGE_ACCEPTED"));
    const sent = [...chain.received("refund", "eth"), ...chain.received("destination", "usdt-erc20")];
    expect(sent).toHaveLength(1);
  });

  it("quotes a refund that is valid for ten minutes, and nothing before a deposit", async () => {
    const order = await testEngine.engine.orderService.create(fixed, client);
    expect(await testEngine.engine.orderService.refundInfo(order.orderId)).toEqual({
      refundAmountWithoutNetworkFee: "0",
      networkFee: "0",
    });
    const { orderId } = await changedOrder();
    const quoted = await testEngine.engine.orderService.refundInfo(orderId, "destination");
    testEngine.rates.fee *= 3n;
    expect(await testEngine.engine.orderService.refundInfo(orderId, "destination")).toEqual(quoted);
    expect(await testEngine.engine.orderService.refundInfo(orderId)).toEqual(quoted);
    const later = await createTestEngine({
      database,
      reader: chain,
      wallet: chain,
      rates: testEngine.rates,
      now: () => new Date(Date.now() + 601_000),
    });
    expect(await later.engine.orderService.refundInfo(orderId)).not.toEqual(quoted);
  });

  it("quotes a refund by the id alone without writing anything", async () => {
    const { orderId } = await changedOrder();
    const stored = () => database.kysely.selectFrom("orders").selectAll().where("id", "=", orderId).executeTakeFirst();
    const before = await stored();
    const quoted = await testEngine.engine.orderService.refundInfo(orderId);
    expect(await stored()).toEqual(before);
    testEngine.rates.fee *= 3n;
    const later = await testEngine.engine.orderService.refundInfo(orderId, "destination");
    expect(Number(later.networkFee)).toBeGreaterThan(Number(quoted.networkFee));
    const unknown = { code: "ERR_NOT_FOUND_E" };
    await expect(testEngine.engine.orderService.refundInfo(orderId, "other")).rejects.toMatchObject(unknown);
    await expect(testEngine.engine.orderService.refundInfo("A".repeat(24))).rejects.toMatchObject(unknown);
  });

  it("takes a refund at the fee that was shown by the id alone, though the fee has risen since, and at no other old one", async () => {
    const { orderId } = await changedOrder();
    const body = await refundOf(orderId);
    testEngine.rates.fee *= 3n;
    const service = testEngine.engine.orderService;
    const guessed = { ...body, claimedNetworkFee: `${body.claimedNetworkFee}1` };
    await expect(service.requestRefund(guessed)).rejects.toMatchObject({ code: "ERR_UNPROCESSABLE_ENTITY" });
    expect(kindsOf(await service.requestRefund(body))).toContain("REFUND_REQUESTED");
  });

  it("refunds late deposits by payments of their own", async () => {
    const { orderId, depositAddress } = await changedOrder();
    await testEngine.engine.orderService.requestRefund(await refundOf(orderId));
    await mineAndSettle(4);
    chain.deposit(depositAddress, "eth", eth);
    chain.deposit(depositAddress, "eth", 1n);
    await mineAndSettle(8);
    expect(chain.received("refund", "eth")).toEqual([HALF_ETH - testEngine.rates.fee, eth - testEngine.rates.fee]);
    expect((await info(orderId)).withdrawals).toHaveLength(1);
    const held = await database.kysely
      .selectFrom("deposits")
      .select("review_reason")
      .where("review_reason", "is not", null)
      .execute();
    expect(held).toEqual([{ review_reason: "smaller_than_fee" }]);
  });
});

describe("access to an order", () => {
  it("needs the id and the destination together, in any spelling that the network reads alike", async () => {
    const { orderId } = await testEngine.engine.orderService.create(orderBody(), client);
    expect((await testEngine.engine.orderService.info(orderId, " DESTINATION ")).orderId).toBe(orderId);
    const wrong = await testEngine.engine.orderService.info(orderId, "other").catch((error: unknown) => error);
    const unknown = await testEngine.engine.orderService
      .info("A".repeat(24), "destination")
      .catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: "ERR_NOT_FOUND_E" });
    expect(wrong).toEqual(unknown);
  });

  it("accepts one email", async () => {
    const { orderId } = await testEngine.engine.orderService.create(orderBody(), client);
    await testEngine.engine.orderService.setEmail(orderId, "a@example.com");
    await expect(testEngine.engine.orderService.setEmail(orderId, "b@example.com")).rejects.toMatchObject({
      code: "ERR_UNPROCESSABLE_ENTITY",
    });
    expect(await info(orderId)).toMatchObject({ userEmail: "a@example.com", isEmailConfirmed: false });
  });

  it("lets whoever knows the address too confirm the email, or replace one that is not confirmed", async () => {
    const { setEmail } = testEngine.engine.orderService;
    const { orderId } = await testEngine.engine.orderService.create(orderBody(), client);
    await setEmail(orderId, "eve@example.com");
    await expect(setEmail(orderId, "ann@example.com", "other")).rejects.toMatchObject({ code: "ERR_NOT_FOUND_E" });
    const confirmed = { orderId, isEmailConfirmed: true };
    expect(await setEmail(orderId, "ann@example.com", "destination")).toEqual(confirmed);
    expect(await info(orderId)).toMatchObject({ userEmail: "ann@example.com", isEmailConfirmed: true });
    for (const address of [undefined, "destination"])
      await expect(setEmail(orderId, "eve@example.com", address)).rejects.toMatchObject({
        code: "ERR_UNPROCESSABLE_ENTITY",
      });

    const other = await testEngine.engine.orderService.create(orderBody({ userEmail: "bob@example.com" }), client);
    expect(other.isEmailConfirmed).toBe(true);
  });
});
