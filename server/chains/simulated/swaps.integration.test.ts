import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreateOrderBody, CoinOrder } from "#contract/order.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import {
  createTestEngine,
  kindsOf,
  orderBody,
  StillRates,
  type TestEngine,
} from "../../../tests/support/scenarios/test-engine.ts";
import { simulatedCatalogue } from "../../../tests/support/chains/simulated-catalogue.ts";
import { simulatedChain } from "../../../tests/support/chains/simulated-chain.ts";
import { faultyNode, noFaults, type NodeFaults } from "../../../tests/support/chains/simulated-faults.ts";
import type { SimulatedChain } from "./network.ts";
import { listHeld } from "../../treasury/operator/held.ts";

const TO_XRP = "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59";
const TO_XRP_TAG_1 = "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu";
const TO_BTC = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const client = { key: "test", traceId: "test" };
const BTC = { currencyTitle: "BTC", networkTitle: "BTC", slug: "btc" };
const XRP = { currencyTitle: "XRP", networkTitle: "XRP", slug: "xrp" };

type Scenario = {
  btc: SimulatedChain;
  xrp: SimulatedChain;
  faults: { btc: NodeFaults; xrp: NodeFaults };
  testEngine: TestEngine;
};

let database: TestDatabase;
let scenario: Scenario;

/** A process on the database: the engine over two chains, each through a node that can misbehave. 1 BTC is 100 XRP. */
async function startScenario(): Promise<Scenario> {
  const btc = await simulatedChain(database, "BTC");
  const xrp = await simulatedChain(database, "XRP");
  const faults = { btc: noFaults(), xrp: noFaults() };
  const rates = new StillRates();
  rates.prices.set("btc", 100n * 10n ** 18n).set("xrp", 10n ** 18n);
  rates.fees.set("btc", 2_000n).set("xrp", 12n);
  const over = (chain: SimulatedChain, own: NodeFaults) => {
    const node = faultyNode(chain.node, own);
    return { reader: chain.reader(node), wallet: chain.wallet(node) };
  };
  const testEngine = await createTestEngine({
    database,
    ...over(btc, faults.btc),
    others: [over(xrp, faults.xrp)],
    rates,
    catalogue: simulatedCatalogue(),
  });
  return { btc, xrp, faults, testEngine };
}

beforeEach(async () => {
  database = await freshDatabase();
  scenario = await startScenario();
  await scenario.testEngine.settle();
  // A follower goes back no further than to the block that it began with.
  for (const chain of [scenario.btc, scenario.xrp]) await chain.controls.mine(6);
  await scenario.testEngine.settle();
});
afterEach(() => database.drop());

const give = (from: "btc" | "xrp", changes: Partial<CreateOrderBody> = {}): CreateOrderBody =>
  orderBody({
    instrumentFrom: from === "btc" ? BTC : XRP,
    instrumentTo: from === "btc" ? XRP : BTC,
    destinationAddress: from === "btc" ? TO_XRP : TO_BTC,
    destinationAddressMemo: null,
    claimedDepositAmount: from === "btc" ? "0.5" : "50",
    ...changes,
  });
const create = (body: CreateOrderBody) => scenario.testEngine.engine.orderService.create(body, client);
const info = (order: CoinOrder) =>
  scenario.testEngine.engine.orderService.info(order.orderId, order.destinationAddress);
const pay = (order: CoinOrder, amount: bigint, memo = order.depositAddressMemo) => {
  const { slug } = order.pair.instrumentFrom;
  const chain = slug === "btc" ? scenario.btc : scenario.xrp;
  return chain.controls.pay({ address: order.depositAddress, memo, slug, amount });
};
const blocks = async (count: number) => {
  for (let block = 0; block < count; block += 1) {
    await scenario.btc.controls.mine(1);
    await scenario.xrp.controls.mine(1);
    await scenario.testEngine.settle();
  }
};
/** What the canonical chain paid to an address, oldest first. */
const received = async (chain: SimulatedChain, address: string) => {
  const found: { memo: string | null; amount: bigint }[] = [];
  const { height } = await chain.node.head();
  for (let at = 1_000; at <= height; at += 1)
    for (const transfer of (await chain.node.blockAt(at))?.transfers ?? [])
      if (transfer.toAddress === address) found.push({ memo: transfer.memo ?? null, amount: transfer.amount });
  return found;
};
const stateOfPayouts = async () =>
  (await database.kysely.selectFrom("payouts").select("state").orderBy("id").execute()).map((row) => row.state);

const HALF_BTC = 50_000_000n;
const FIFTY_XRP = 50_000_000n;
/** 50 XRP less 0.5 % and the network's fee. */
const FOR_HALF_BTC = 49_750_000n - 12n;
const FOR_FIFTY_XRP = 49_750_000n - 2_000n;

describe("a swap between two simulated networks", () => {
  it("to an account that it could not open is refused with the network's reserve, and taken once the account exists", async () => {
    const small = give("btc", { claimedDepositAmount: "0.005" });
    await expect(create(small)).rejects.toMatchObject({
      code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
      message: expect.stringContaining("1 XRP"),
      data: { reasons: [{ sourceAmountLimit: null, destinationAmountLimit: "1" }] },
    });
    await scenario.xrp.controls.pay({ address: TO_XRP, memo: null, slug: "xrp", amount: 1_000_000n });
    await blocks(1);
    const order = await create(small);
    await pay(order, 500_000n);
    await blocks(4);
    expect(await info(order)).toMatchObject({ status: "WITHDRAWAL_COMPLETED" });
  });

  it("whose account is gone from the canonical chain before it is paid waits for an operator, and nothing is signed", async () => {
    await scenario.xrp.controls.pay({ address: TO_XRP, memo: null, slug: "xrp", amount: 1_000_000n });
    await blocks(1);
    const order = await create(give("btc", { claimedDepositAmount: "0.005" }));
    await database.pool.query("delete from sandbox_balances where address = $1", [TO_XRP]);
    await pay(order, 500_000n);
    await blocks(4);
    const payouts = await database.kysely.selectFrom("payouts").select(["state", "review_reason"]).execute();
    expect(payouts).toEqual([{ state: "review", review_reason: "under_reserve" }]);
  });

  it("goes from bitcoin to a tag of XRP and completes with a balanced ledger", async () => {
    const order = await create(give("btc", { destinationAddress: TO_XRP_TAG_1 }));
    expect(order).toMatchObject({
      destinationAddress: TO_XRP,
      destinationAddressMemo: "1",
      depositAddress: expect.stringMatching(/^bc1q/),
      depositAddressMemo: null,
      depositUri: `bitcoin:${order.depositAddress}?amount=0.5`,
    });
    await pay(order, HALF_BTC);
    await blocks(1);
    expect((await info(order)).deposits).toMatchObject([{ amount: "0.5", confirmations: 1, requiredConfirmations: 2 }]);
    await blocks(1);
    expect((await info(order)).status).toBe("FUNDS_WITHDRAWAL_START");
    await blocks(2);
    expect(kindsOf(await info(order)).at(-1)).toBe("WITHDRAWAL_COMPLETED");
    expect(await received(scenario.xrp, TO_XRP)).toEqual([{ memo: "1", amount: FOR_HALF_BTC }]);
    expect(await stateOfPayouts()).toEqual(["final"]);
    const accounts = await database.kysely.selectFrom("ledger_accounts").select(["name", "slug", "balance"]).execute();
    const customers = accounts.filter((account) => account.name === "customers");
    expect(customers.every((account) => account.balance === 0n)).toBe(true);
  });

  it("goes the other way, and the change of one payment funds the next", async () => {
    for (let round = 0; round < 3; round += 1) {
      const order = await create(give("xrp"));
      await pay(order, FIFTY_XRP);
      await blocks(4);
      expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
    }
    expect((await received(scenario.btc, TO_BTC)).map((one) => one.amount)).toEqual([
      FOR_FIFTY_XRP,
      FOR_FIFTY_XRP,
      FOR_FIFTY_XRP,
    ]);
    expect(await scenario.btc.node.balance(scenario.btc.hotAddress, "btc")).toBe(
      1_000n * 10n ** 8n - 3n * (FOR_FIFTY_XRP + 2_000n),
    );
  });

  it("pays more at once than the treasury has outputs", async () => {
    const orders: CoinOrder[] = [];
    for (let at = 0; at < 25; at += 1) orders.push(await create(give("xrp")));
    for (const order of orders) await pay(order, FIFTY_XRP);
    for (let block = 0; block < 12; block += 1) {
      await blocks(1);
      await database.kysely
        .updateTable("payouts")
        .set({ next_attempt_at: new Date(0) })
        .where("state", "=", "intended")
        .execute();
    }
    expect(await received(scenario.btc, TO_BTC)).toHaveLength(25);
    expect(new Set(await stateOfPayouts())).toEqual(new Set(["final"]));
  });
});

describe("an address that many orders share", () => {
  it("distinguishes two orders by their tags", async () => {
    const first = await create(give("xrp"));
    const second = await create(give("xrp"));
    expect(second.depositAddress).toBe(first.depositAddress);
    expect(second.depositAddressMemo).not.toBe(first.depositAddressMemo);
    expect(first.depositUri).toContain(`dt=${first.depositAddressMemo}`);
    await pay(second, FIFTY_XRP);
    await blocks(1);
    expect([(await info(first)).deposits.length, (await info(second)).deposits.length]).toEqual([0, 1]);
    await pay(first, 2n * FIFTY_XRP);
    await blocks(3);
    expect([(await info(first)).withdrawals[0]?.amount, (await info(second)).withdrawals[0]?.amount]).toEqual([
      "0.99498",
      "0.49748",
    ]);
  });

  it.each([
    ["no tag", null],
    ["a tag that no order has", "12345"],
  ])("keeps what comes with %s for an operator, and credits it to nobody", async (_, memo) => {
    const order = await create(give("xrp"));
    const { txId } = await pay(order, FIFTY_XRP, memo);
    await blocks(4);
    expect(await info(order)).toMatchObject({ status: "CREATION_END", deposits: [] });
    const rows = await database.kysely.selectFrom("deposits").selectAll().execute();
    expect(rows).toMatchObject([
      { tx_id: txId, order_id: null, review_reason: "no_order_has_its_memo", amount: FIFTY_XRP, credited_at: null },
    ]);
    await scenario.xrp.controls.reorg(5);
    await blocks(2);
    expect(await database.kysely.selectFrom("deposits").select("review_reason").execute()).toHaveLength(1);
  });

  it("asks no operator about what comes without a tag before a block has it, or is too small to count", async () => {
    const order = await create(give("xrp"));
    const [withdrawn, dust] = [await pay(order, FIFTY_XRP, null), await pay(order, 1_000n, null)];
    await scenario.testEngine.settle();
    const rows = () => database.kysely.selectFrom("deposits").select(["tx_id", "review_reason"]).execute();
    expect(await rows()).toEqual([]);
    await scenario.xrp.controls.evict(withdrawn.txId);
    await blocks(2);
    expect(await rows()).toEqual([{ tx_id: dust.txId, review_reason: "dust" }]);
    expect(await listHeld(database)).toEqual([]);
  });

  it("stores nothing that is paid to others", async () => {
    await create(give("xrp"));
    await scenario.xrp.controls.pay({ address: TO_XRP, memo: null, slug: "xrp", amount: 5n });
    await blocks(2);
    expect(await database.kysely.selectFrom("deposits").selectAll().execute()).toEqual([]);
  });
});

describe("a reorganisation", () => {
  it("of the deposit counts its confirmations again when it is mined again", async () => {
    const order = await create(give("btc"));
    await pay(order, HALF_BTC);
    await blocks(1);
    await scenario.btc.controls.reorg(1);
    await scenario.testEngine.settle();
    expect((await info(order)).deposits).toEqual([]);
    await blocks(1);
    expect((await info(order)).deposits).toMatchObject([{ confirmations: 1 }]);
    await blocks(3);
    expect(await received(scenario.xrp, TO_XRP)).toEqual([{ memo: null, amount: FOR_HALF_BTC }]);
  });

  it("that loses the deposit pays nothing", async () => {
    const order = await create(give("btc"));
    await pay(order, HALF_BTC);
    await blocks(1);
    await scenario.btc.controls.reorg(1, "dropped");
    await blocks(5);
    expect(await info(order)).toMatchObject({ deposits: [], withdrawals: [] });
    expect(await received(scenario.xrp, TO_XRP)).toEqual([]);
  });

  it.each(["btc", "xrp"] as const)("that loses a payout sends the same bytes again, from %s", async (from) => {
    const order = await create(give(from));
    await pay(order, from === "btc" ? HALF_BTC : FIFTY_XRP);
    await blocks(from === "btc" ? 2 : 1);
    const chain = from === "btc" ? scenario.xrp : scenario.btc;
    await chain.controls.mine(1);
    await scenario.testEngine.settle();
    expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
    const [paid] = (await info(order)).withdrawals;
    await chain.controls.reorg(1, "dropped");
    await scenario.testEngine.settle();
    await blocks(4);
    expect((await info(order)).withdrawals).toMatchObject([{ txId: paid?.txId }]);
    expect(await received(chain, from === "btc" ? TO_XRP : TO_BTC)).toHaveLength(1);
  });

  it("that evicts a payout from the mempool makes the same bytes be sent again", async () => {
    const order = await create(give("btc"));
    await pay(order, HALF_BTC);
    await blocks(2);
    const txId = (await info(order)).withdrawals[0]?.txId ?? "";
    expect(await scenario.xrp.controls.evict(txId)).toBe(true);
    await blocks(4);
    expect(await received(scenario.xrp, TO_XRP)).toEqual([{ memo: null, amount: FOR_HALF_BTC }]);
    expect((await info(order)).withdrawals[0]?.txId).toBe(txId);
  });
});

describe("a node with faults", () => {
  it.each([
    ["lost-request", "btc"],
    ["lost-reply", "btc"],
    ["lost-request", "xrp"],
    ["lost-reply", "xrp"],
  ] as const)("with a %s of the payout, giving %s, pays once", async (fault, from) => {
    const order = await create(give(from));
    const target = from === "btc" ? "xrp" : "btc";
    scenario.faults[target].broadcasts = [fault, fault];
    await pay(order, from === "btc" ? HALF_BTC : FIFTY_XRP);
    for (let block = 0; block < 7; block += 1) {
      await blocks(1);
      // The pause before the same bytes are sent again is over.
      await database.kysely.updateTable("payouts").set({ resend_at: null }).execute();
    }
    expect(await received(scenario[target], from === "btc" ? TO_XRP : TO_BTC)).toHaveLength(1);
    expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
  });

  it("that lags, serves stale heads, fabricates blocks and hides transactions is trusted no further than its blocks", async () => {
    const order = await create(give("btc"));
    await pay(order, HALF_BTC);
    scenario.faults.btc.lag = 2;
    await blocks(2);
    expect((await info(order)).deposits).toEqual([]);
    scenario.faults.btc.lag = 0;
    scenario.faults.btc.staleHeads = [1, 2, 1];
    scenario.faults.btc.fabricatedBlocks = 10;
    await blocks(3);
    scenario.faults.btc.fabricatedBlocks = 0;
    await blocks(1);
    const txId = (await info(order)).withdrawals[0]?.txId ?? "";
    scenario.faults.xrp.hiddenTransactions.add(txId);
    await blocks(3);
    scenario.faults.xrp.hiddenTransactions.clear();
    await blocks(3);
    expect(await received(scenario.xrp, TO_XRP)).toHaveLength(1);
    expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
  });

  it("that is down stops nothing for good", async () => {
    const order = await create(give("btc"));
    await pay(order, HALF_BTC);
    await blocks(1);
    scenario.faults.btc.isDown = true;
    await expect(scenario.testEngine.settle()).rejects.toThrow("does not answer");
    scenario.faults.btc.isDown = false;
    scenario.faults.xrp.isDown = true;
    await scenario.btc.controls.mine(2);
    await expect(scenario.testEngine.settle()).rejects.toThrow("does not answer");
    scenario.faults.xrp.isDown = false;
    await blocks(5);
    expect(await received(scenario.xrp, TO_XRP)).toHaveLength(1);
    expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
  });
});

describe("processes", () => {
  it("may be restarted at every step of a swap", async () => {
    const order = await create(give("btc"));
    await pay(order, HALF_BTC);
    for (let block = 0; block < 6; block += 1) {
      scenario = await startScenario();
      await blocks(1);
    }
    expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
    expect(await received(scenario.xrp, TO_XRP)).toEqual([{ memo: null, amount: FOR_HALF_BTC }]);
  });

  it("may run in parallel: every order is paid once", async () => {
    const second = await startScenario();
    const orders: CoinOrder[] = [];
    for (let at = 0; at < 6; at += 1) orders.push(await create(give(at % 2 === 0 ? "btc" : "xrp")));
    for (const order of orders) await pay(order, order.pair.instrumentFrom.slug === "btc" ? HALF_BTC : FIFTY_XRP);
    for (let block = 0; block < 8; block += 1) {
      await Promise.all([scenario.btc.controls.mine(1), second.xrp.controls.mine(1)]);
      await Promise.all([scenario.testEngine.settle(), second.testEngine.settle()]);
    }
    await blocks(3);
    for (const order of orders) expect((await info(order)).status).toBe("WITHDRAWAL_COMPLETED");
    expect((await received(scenario.xrp, TO_XRP)).map((one) => one.amount)).toEqual([
      FOR_HALF_BTC,
      FOR_HALF_BTC,
      FOR_HALF_BTC,
    ]);
    expect(await received(scenario.btc, TO_BTC)).toHaveLength(3);
  });
});

describe("what waits in a simulated mempool", () => {
  const deposits = () =>
    database.kysely
      .selectFrom("deposits")
      .select(["network", "tx_id", "in_mempool", "review_reason"])
      .orderBy("id")
      .execute();

  it("is a deposit before its block, by its memo where the network has one, and none once it was evicted", async () => {
    const [fromBtc, fromXrp] = [await create(give("btc")), await create(give("xrp"))];
    const paid = await pay(fromBtc, 50_000_000n);
    const withMemo = await pay(fromXrp, 50_000_000n);
    const without = await pay(fromXrp, 50_000_000n, null);
    await scenario.testEngine.settle();
    expect(await deposits()).toEqual([
      { network: "BTC", tx_id: paid.txId, in_mempool: true, review_reason: null },
      { network: "XRP", tx_id: withMemo.txId, in_mempool: true, review_reason: null },
    ]);
    await scenario.btc.controls.evict(paid.txId);
    await scenario.xrp.controls.mine(1);
    await scenario.testEngine.settle();
    expect(await deposits()).toEqual([
      { network: "BTC", tx_id: paid.txId, in_mempool: false, review_reason: null },
      { network: "XRP", tx_id: withMemo.txId, in_mempool: false, review_reason: null },
      { network: "XRP", tx_id: without.txId, in_mempool: false, review_reason: "no_order_has_its_memo" },
    ]);
  });

  it("delays no block while it can't be read", async () => {
    const order = await create(give("btc"));
    await pay(order, 50_000_000n);
    scenario.faults.btc.isMempoolDown = true;
    await expect(scenario.testEngine.engine.mempoolWatches.get("BTC")?.turn()).rejects.toThrow("does not answer");
    await scenario.btc.controls.mine(1);
    await scenario.testEngine.engine.followers.get("BTC")?.turn();
    expect(await deposits()).toMatchObject([{ in_mempool: false }]);
  });
});
