import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreateOrderBody, Order } from "#contract/order.ts";
import { violations } from "../../../tests/support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { makeDue } from "../../../tests/support/database/due-rows.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import {
  askForRefund,
  createTestEngine,
  kindsOf,
  orderBody,
  type TestEngine,
} from "../../../tests/support/scenarios/test-engine.ts";
import { runHeldCommand } from "../../treasury/operator/held-commands.ts";
import { orderMetrics } from "../metrics.ts";
import { runUndecidedCommand } from "./operator.ts";

const ETH = 10n ** 18n;
const SMALL = ETH / 20n;
const FEE = 1_000_000n;
const DAY = 86_400;
const TERM = 7 * DAY;
const REFUND_ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let passed: number;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  passed = 0;
  testEngine = await createTestEngine({
    database,
    reader: chain,
    wallet: chain,
    undecidedSeconds: TERM,
    now: () => new Date(Date.now() + passed * 1000),
  });
  testEngine.rates.min = ETH / 10n;
  await testEngine.settle();
});
afterEach(async () => {
  const view = {
    delivered: async () => [
      ...chain.received("destination", "usdt-erc20"),
      ...chain.received(REFUND_ADDRESS, "eth"),
      ...chain.received("back", "eth"),
      ...chain.received("new", "eth"),
    ],
    isDeep: async (txId: string, confirmations: number) => {
      const found = await chain.lookup(txId);
      return found.kind === "mined" && chain.tip.height - found.height + 1 >= confirmations;
    },
  };
  expect(await violations(database, view, 3)).toEqual([]);
  await database.drop();
});

async function say(text: string): Promise<string | null> {
  const parts = { database, catalogue: testEngine.catalogue, isRegtest: true };
  const words = text.split(" ");
  return (await runUndecidedCommand(parts, words)) ?? runHeldCommand(parts, words);
}
const blocks = async (count: number) => {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await makeDue(database, "payouts");
    await testEngine.settle();
  }
};
const show = (orderId: string) => testEngine.engine.orderService.info(orderId, "destination");
/** The time of the business clock passes, and no block. */
const wait = async (seconds: number) => {
  passed += seconds;
  await testEngine.engine.holdUndecided();
  await testEngine.settle();
};
const paid = async (amount: bigint, changes: Partial<CreateOrderBody> = {}): Promise<Order> => {
  const order = await testEngine.engine.orderService.create(orderBody(changes), { key: "c", traceId: "t" });
  chain.deposit(order.depositAddress ?? "", "eth", amount);
  await blocks(4);
  return order;
};
const fixed = { rateMode: "FIXED", refundAddress: "back" } as const;
const metric = async (name: string) => {
  const found = orderMetrics(database).find((one) => one.name === name);
  return (await found?.read()) ?? [];
};
const audit = () =>
  database.kysely.selectFrom("operator_actions").select(["operator", "action", "subject"]).orderBy("id").execute();

describe("an order under the minimum whose customer is gone", () => {
  let order: Order;
  beforeEach(async () => {
    order = await paid(SMALL);
    await wait(TERM - 60);
    expect(await say("held")).toBe("nothing is held");
    await expect(say(`order refund ${order.reference} gone --as ann --to ${REFUND_ADDRESS}`)).rejects.toThrow(
      "waits for no operator",
    );
    await wait(120);
  });

  it("is put in review with its reason, and its customer still reads what they can do", async () => {
    expect(await say("held")).toBe(
      `order ${order.reference}  under_minimum  for 0 min  (0.05 eth, its customer has not chosen, order ${order.orderId})`,
    );
    expect(await metric("orders_undecided")).toEqual([
      { labels: { network: "ETH", reason: "under_minimum" }, value: 1 },
    ]);
    await expect(say("deposit write-off 1 gone --as ann")).rejects.toThrow(
      `is not in review. Its customer has not chosen: "order refund ${order.reference}"`,
    );
    const { attention, review } = await show(order.orderId);
    expect({ attention, review }).toMatchObject({ attention: { reason: "BELOW_MINIMUM" }, review: null });
  });

  it("does not count as the oldest order, before and after it is put in review", async () => {
    expect(await metric("order_oldest_seconds")).toEqual([]);
    await paid(SMALL);
    expect(await metric("order_oldest_seconds")).toEqual([]);
  });

  it("is refunded to the address that an operator names, after which its customer can't choose any more", async () => {
    await expect(say(`order refund ${order.reference} gone --as ann`)).rejects.toThrow("--to ADDRESS");
    await say(`order refund ${order.reference} gone --as ann --to ${REFUND_ADDRESS}`);
    await expect(askForRefund(testEngine, order)).rejects.toThrow("sending the deposit back already");
    await expect(say(`order refund ${order.reference} gone --as bob --to ${REFUND_ADDRESS}`)).rejects.toThrow(
      "was requested",
    );
    await blocks(6);
    expect(chain.received(REFUND_ADDRESS, "eth")).toEqual([SMALL - FEE]);
    expect((await show(order.orderId)).status).toBe("REFUND_COMPLETED");
    expect(await say("held")).toBe("nothing is held");
    expect(await audit()).toEqual([{ operator: "ann", action: "order refund", subject: `order ${order.reference}` }]);
  });

  it("is written off by two operators, and ends", async () => {
    expect(await say(`order write-off ${order.reference} gone --as ann`)).toContain("proposal 1");
    await expect(say(`order write-off ${order.reference} gone --as bob`)).rejects.toThrow("Proposal 1");
    await expect(say("freeze confirm 1 gone --as Ann")).rejects.toThrow("somebody else");
    expect(await say("freeze confirm 1 gone --as bob")).toBe(
      `order ${order.reference}: 0.05 eth are written off. A worker ends it.`,
    );
    await blocks(1);
    expect((await show(order.orderId)).status).toBe("expired");
    expect(await say("held")).toBe("nothing is held");
    expect(await metric("orders_undecided")).toEqual([]);
    const { rows } = await database.pool.query(
      "select name, balance from ledger_accounts where slug = 'eth' and balance <> 0 order by name",
    );
    expect(rows).toEqual([
      { name: "deposits", balance: -SMALL },
      { name: "treasury", balance: SMALL },
    ]);
    expect((await audit()).map(({ operator, action }) => `${operator} ${action}`)).toEqual([
      "ann order write-off",
      "bob freeze confirm",
    ]);
  });

  it("goes on with its customer's refund, after which no operator decides", async () => {
    await say(`order write-off ${order.reference} gone --as ann`);
    await askForRefund(testEngine, order);
    await expect(say("freeze confirm 1 gone --as bob")).rejects.toThrow("has acted since");
    await expect(say(`order refund ${order.reference} gone --as ann --to ${REFUND_ADDRESS}`)).rejects.toThrow(
      "waits for no operator",
    );
    await blocks(6);
    expect(chain.received("new", "eth")).toEqual([SMALL - FEE]);
    expect(await say("held")).toBe("nothing is held");
  });

  it("goes on with a top-up, of which an operator is notified before it is confirmed", async () => {
    await say(`order write-off ${order.reference} gone --as ann`);
    chain.deposit(order.depositAddress ?? "", "eth", ETH / 5n);
    for (const watch of testEngine.engine.mempoolWatches.values()) await watch.turn();
    await expect(say(`order refund ${order.reference} gone --as ann --to ${REFUND_ADDRESS}`)).rejects.toThrow(
      "paid more",
    );
    await expect(say("freeze confirm 1 gone --as bob")).rejects.toThrow("has acted since");
    await blocks(6);
    expect((await show(order.orderId)).status).toBe("WITHDRAWAL_COMPLETED");
    expect(await say("held")).toBe("nothing is held");
  });

  it("is not written off by a proposal of an earlier wait", async () => {
    await say(`order write-off ${order.reference} gone --as ann`);
    chain.deposit(order.depositAddress ?? "", "eth", 4n * FEE);
    await database.pool.query("update deposits set review_reason = null");
    chain.reorg(4, true);
    await blocks(5);
    expect(await say("held")).not.toContain(`order ${order.reference}`);
    await wait(TERM + 60);
    expect(await say("held")).toContain(`order ${order.reference}  under_minimum`);
    await expect(say("freeze confirm 1 gone --as bob")).rejects.toThrow("has acted since");
    expect(await say(`order write-off ${order.reference} gone --as ann`)).toContain("proposal 2");
  });
});

describe("a fixed order whose customer has to choose", () => {
  let order: Order;
  beforeEach(async () => {
    order = await paid(ETH / 4n, fixed);
    await wait(TERM + 60);
    expect(await say("held")).toContain(`order ${order.reference}  customer_choice`);
  });

  it("takes the customer's choice as long as no operator has acted", async () => {
    const body = { orderId: order.orderId, destinationAddress: "destination" };
    // The offer has ended: a fresh one follows, and the wait begins anew.
    await expect(testEngine.engine.orderService.acceptRateModeChange(body)).rejects.toThrow("has changed");
    await testEngine.settle();
    expect(await say("held")).toBe("nothing is held");
    await testEngine.engine.orderService.acceptRateModeChange(body);
    await blocks(4);
    expect((await show(order.orderId)).status).toBe("WITHDRAWAL_COMPLETED");
  });

  it("is refunded to the address of its creation alone", async () => {
    await expect(say(`order refund ${order.reference} gone --as ann --to ${REFUND_ADDRESS}`)).rejects.toThrow(
      "never replaced",
    );
    await say(`order refund ${order.reference} gone --as ann`);
    const body = { orderId: order.orderId, destinationAddress: "destination" };
    await expect(testEngine.engine.orderService.acceptRateModeChange(body)).rejects.toThrow("sending the deposit back");
    await blocks(6);
    expect(chain.received("back", "eth")).toEqual([ETH / 4n - FEE]);
    expect(kindsOf(await show(order.orderId)).slice(-2)).toEqual(["REFUND_REQUESTED", "REFUND_COMPLETED"]);
  });
});

it.each(["order refund", "order accept", "order write-off", "job retry orders"])(
  "%s of an order that there is none of says so",
  async (command) => {
    await expect(say(`${command} ZZZZ-ZZZZ why --as ann`)).rejects.toThrow("There is no order ZZZZ-ZZZZ.");
  },
);

it("a deposit that costs more to send back than it is worth says so, and is written off", async () => {
  const order = await paid(SMALL);
  await wait(TERM + 60);
  testEngine.rates.fees.set("eth", SMALL);
  await say(`order refund ${order.reference} gone --as ann --to ${REFUND_ADDRESS}`);
  await blocks(1);
  expect(await say("held")).toContain("the deposits are too small to be sent back");
  await say(`order write-off ${order.reference} gone --as ann`);
  await say("freeze confirm 1 gone --as bob");
  await blocks(1);
  expect(await say("held")).toBe("nothing is held");
});

it("an order that waited before its time was counted is put in review one term after its first check", async () => {
  const order = await paid(SMALL);
  await database.pool.query("update orders set choice_until = null");
  await blocks(1);
  await wait(TERM + 60);
  expect(await say("held")).toContain(order.reference);
});

it.each(["order", "order lose X why --as ann", "order refund X --as ann", "order write-off X why --as ann --to y"])(
  "%s is refused",
  async (text) => {
    await expect(say(text)).rejects.toThrow(/is no command|Give a reason|has no option/);
  },
);
