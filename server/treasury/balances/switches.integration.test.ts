import { mineAndSettleEach } from "../../../tests/support/chains/fake-chain-setup.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createAvailableBalances, storeHotBalances } from "./available-balances.ts";
import { createSwitches } from "./switches.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const eth = { slug: "eth", networkTitle: "ETH" };
const usdt = { slug: "usdt-erc20", networkTitle: "ETH" };

describe("a kill switch", () => {
  it("stops its action for its scope and side alone, until it is released", async () => {
    const switches = createSwitches(database);
    await switches.stop({ action: "quote", scope: "eth", direction: "from", reason: "checked" });
    expect(switches.stopped("quote", eth, "from")).toBe("checked");
    for (const [action, one, side] of [
      ["quote", eth, "to"],
      ["quote", usdt, "from"],
      ["pay", eth, "from"],
    ] as const) {
      expect(switches.stopped(action, one, side)).toBeNull();
    }
    await switches.release({ action: "quote", scope: "eth", direction: "from" });
    expect(switches.stopped("quote", eth, "from")).toBeNull();
  });

  it.each(["*", "ETH", "usdt-erc20"])("applies to an instrument by the scope %s", async (scope) => {
    const switches = createSwitches(database);
    await switches.stop({ action: "pay", scope, direction: "both", reason: "drift" });
    expect(switches.stopped("pay", usdt, "to")).toBe("drift");
    expect(await createSwitches(database).stoppedNow("pay", usdt, "to")).toBe("drift");
  });
});

describe("in the engine", () => {
  const HALF_ETH = 5n * 10n ** 17n;
  let chain: FakeChain;
  let testEngine: TestEngine;
  beforeEach(async () => {
    chain = new FakeChain();
    testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
    await testEngine.settle();
  });
  const client = { key: "c", traceId: "t" };
  const mineAndSettle = (blocks: number) => mineAndSettleEach({ chain, testEngine }, blocks);

  it("'accept' refuses new orders and continues the existing ones", async () => {
    const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    await testEngine.switches.stop({ action: "accept", scope: "*", direction: "both", reason: "closing" });
    await expect(testEngine.engine.orderService.create(orderBody(), client)).rejects.toMatchObject({
      code: "ERR_SERVICE_UNAVAILABLE",
    });
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(5);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
  });

  it("'pay' keeps a paid order waiting without an error, and lets it go on afterwards", async () => {
    const { orderId, depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    await testEngine.switches.stop({ action: "pay", scope: "ETH", direction: "both", reason: "drift" });
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(6);
    expect(chain.received("destination", "usdt-erc20")).toEqual([]);
    expect((await testEngine.engine.orderService.info(orderId, "destination")).status).toBe("FUNDS_WITHDRAWAL_START");
    await testEngine.switches.release({ action: "pay", scope: "ETH", direction: "both" });
    await database.kysely
      .updateTable("payouts")
      .set({ next_attempt_at: new Date(0) })
      .execute();
    await mineAndSettle(2);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
  });

  it("'pay' distinguishes payouts from refunds", async () => {
    const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    await testEngine.switches.stop({ action: "pay", scope: "*", direction: "from", reason: "no refunds" });
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(6);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
  });

  it("refund-only mode takes no orders and no choices, and continues payouts and refunds", async () => {
    const paid = await testEngine.engine.orderService.create(orderBody(), client);
    const fixed = orderBody({ rateMode: "FIXED", refundAddress: "refund" });
    const moved = await testEngine.engine.orderService.create(fixed, client);
    chain.deposit(paid.depositAddress, "eth", HALF_ETH);
    chain.deposit(moved.depositAddress, "eth", HALF_ETH / 2n);
    await testEngine.switches.setRefundOnly("the vault is counted");
    // As another process reads it, and the same one after a restart.
    testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
    await testEngine.switches.refresh();
    expect(testEngine.switches.refundOnly()).toBe("the vault is counted");
    await mineAndSettle(5);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
    const refused = { code: "ERR_SERVICE_UNAVAILABLE" };
    await expect(testEngine.engine.orderService.create(orderBody(), client)).rejects.toMatchObject(refused);
    const choice = { orderId: moved.orderId, destinationAddress: "destination" };
    await expect(testEngine.engine.orderService.acceptRateModeChange(choice)).rejects.toMatchObject(refused);
    const quoted = await testEngine.engine.orderService.refundInfo(moved.orderId);
    const echo = { refundAmount: quoted.refundAmountWithoutNetworkFee, claimedNetworkFee: quoted.networkFee };
    await testEngine.engine.orderService.requestRefund({ ...choice, refundAddress: "refund", ...echo });
    await mineAndSettle(3);
    expect(chain.received("refund", "eth")).toHaveLength(1);
    await testEngine.switches.setRefundOnly(null);
    await testEngine.engine.orderService.create(orderBody(), client);
  });

  it("the available balance is the hot balance minus payments that are not yet broadcast", async () => {
    const availableBalances = createAvailableBalances(database, {
      catalogue: testEngine.catalogue,
      fees: () => new Map(),
      now: () => new Date(),
    });
    await availableBalances.refresh();
    expect(availableBalances.available("usdt-erc20", "FLOATING")).toBeNull();
    chain.balances.set("usdt-erc20", 2_000_000_000n);
    await storeHotBalances(database, chain, ["usdt-erc20"]);
    await availableBalances.refresh();
    expect(availableBalances.available("usdt-erc20", "FLOATING")).toBe(2_000_000_000n);
    await testEngine.switches.stop({ action: "pay", scope: "*", direction: "both", reason: "test" });
    const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(4);
    await availableBalances.refresh();
    expect(availableBalances.available("usdt-erc20", "FLOATING")).toBe(2_000_000_000n - 1_491_500_000n);
  });
});
