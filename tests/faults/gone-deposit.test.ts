import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreateOrderBody } from "#contract/order.ts";
import { createLog } from "../../server/base/logging/log.ts";
import { runArchiveCommand } from "../../server/orders/archive/operator.ts";
import { orderMetrics } from "../../server/orders/metrics.ts";
import { watchedAddresses } from "../../server/chains/follower/watched-addresses.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { FaultySwap, HALF_ETH } from "../support/scenarios/faulty-swap.ts";
import { askForRefund, kindsOf, StillRates } from "../support/scenarios/test-engine.ts";

const DAY = 86_400;
const DUST = 1_000_000n;
const FIXED = { rateMode: "FIXED", refundAddress: "back" } as const;
const REFUND_ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

let database: TestDatabase;
let swap: FaultySwap;
let now: Date;
let rates: StillRates;
let errors: string[];

beforeEach(async () => {
  // The database's clock says which orders a metric counts, and how old they are.
  now = new Date();
  rates = new StillRates();
  errors = [];
  database = await freshDatabase();
  swap = await FaultySwap.over(database, {
    now: () => now,
    rates,
    undecidedSeconds: DAY,
    autoRefundSeconds: 3_600,
    unpaidOrdersPerClient: 3,
    log: createLog({ level: "error", destination: { write: (line) => void errors.push(line) } }),
  });
});
afterEach(() => database.drop());

const engine = () => swap.testEngine.engine;
const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};
const watch = () => engine().mempoolWatches.get("ETH")?.turn();
const run = async () => {
  await timePasses(database);
  while (await engine().runOrders());
};
/** All loops that end what waits, and a block. */
const turn = async () => {
  while (await engine().endGoneDeposits());
  while (await engine().expireOrders());
  await engine().holdUndecided();
  await engine().refundDeposits();
  await swap.blocks(1);
};
const days = async (count: number) => {
  for (let day = 0; day < count; day += 1) {
    pass(DAY);
    await turn();
  }
};
/** A payment that the mempool has shown. */
async function seen(amount = HALF_ETH): Promise<string> {
  const txId = swap.chain.deposit(swap.order.depositAddress, "eth", amount);
  await watch();
  await run();
  return txId;
}
async function withdraw(txId: string): Promise<void> {
  swap.chain.evict(txId);
  await watch();
  await run();
}
async function pending(): Promise<void> {
  await watch();
  await run();
}
const stored = () =>
  database.kysely.selectFrom("orders").select(["state", "unpaid_until", "waiting_for"]).executeTakeFirstOrThrow();
const deposits = () =>
  database.kysely.selectFrom("deposits").select(["tx_id", "review_reason"]).orderBy("id").execute();
const held = async () => (await listHeld(database)).map(({ subject, reason }) => `${subject} ${reason}`);
const say = (text: string) =>
  runHeldCommand({ database, catalogue: swap.testEngine.catalogue, isRegtest: true }, text.split(" "));
const oldest = () => orderMetrics(database)[0]?.read();
const archive = () => runArchiveCommand(database, ["archive", "--older-than", "30", "routine", "--as", "ann"], now);

/** An order that expired without a payment. */
async function expired(body: Partial<CreateOrderBody> = {}): Promise<void> {
  await swap.open(body);
  await days(2);
  expect((await stored()).state).toBe("expired");
}

describe("an order whose only payment is withdrawn from the mempool", () => {
  it("waits for its deposit again, shows none, and expires like one that nobody paid", async () => {
    await swap.open({ refundAddress: "back" });
    const { unpaidUntil } = swap.order;
    await withdraw(await seen());
    expect(await swap.info()).toMatchObject({ status: "INCOMING_FUNDS_DETECTED", deposits: [], review: null });
    expect((await swap.info()).unpaidUntil).not.toBeNull();
    expect(Date.parse((await swap.info()).unpaidUntil ?? "")).toBeGreaterThanOrEqual(Date.parse(unpaidUntil ?? ""));
    expect(await oldest()).toEqual([]);
    await days(3);
    expect(await swap.info()).toMatchObject({ status: "expired", deposits: [] });
    expect(await stored()).toMatchObject({ state: "expired", unpaid_until: null });
    expect(await held()).toEqual([]);
    expect(await deposits()).toEqual([]);
  });

  it("counts among its client's unpaid ones, and no longer once it has expired", async () => {
    for (let made = 0; made < 3; made += 1) {
      await swap.open();
      await withdraw(await seen());
    }
    await expect(swap.open()).rejects.toMatchObject({ httpStatus: 429 });
    await days(3);
    await swap.open();
  });

  it("can be archived", async () => {
    await swap.open();
    await withdraw(await seen());
    await days(60);
    expect(await archive()).toMatch(/^1 orders? (is|are) archived/);
  });

  it("has until a day after that, because another node may still know it", async () => {
    await swap.open();
    const txId = await seen();
    pass(DAY - 600);
    const evicted = swap.chain.pending.splice(0);
    await watch();
    await run();
    expect(evicted.map((one) => one.txId)).toEqual([txId]);
    pass(1_200);
    await turn();
    expect((await stored()).state).toBe("confirming");
    swap.chain.pending.push(...evicted);
    await swap.blocks(5);
    expect((await swap.info()).status).toBe("WITHDRAWAL_COMPLETED");
    expect((await stored()).unpaid_until).toBeNull();
    expect(swap.paid()).toHaveLength(1);
  });

  it.each([
    ["goes back to the refund address", { refundAddress: "back" }],
    ["is held where there is none", {}],
  ])("and that is mined after the end: it %s, and nothing is paid", async (_, body) => {
    await swap.open(body);
    const txId = await seen();
    const evicted = swap.chain.pending.splice(0);
    await pending();
    await days(3);
    expect((await stored()).state).toBe("expired");
    swap.chain.pending.push(...evicted);
    await swap.blocks(5);
    expect(swap.chain.received("destination", "usdt-erc20")).toEqual([]);
    expect(swap.chain.received("back", "eth")).toHaveLength("refundAddress" in body ? 1 : 0);
    expect(await held()).toEqual("refundAddress" in body ? [] : [expect.stringContaining("after_settlement")]);
    expect((await deposits()).map((one) => one.tx_id)).toEqual([txId]);
    await swap.expectLawful();
  });

  it("keeps no fixed rate for the payment that comes instead of it", async () => {
    await swap.open(FIXED);
    await withdraw(await seen());
    pass(3_600);
    await seen();
    expect(kindsOf(await swap.info())).toContain("FIXED_RATE_SLOW_DEPOSIT_DETECTED");
    expect((await stored()).unpaid_until).toBeNull();
  });

  it("is not watched twice, which would count its coins twice", async () => {
    rates.min = HALF_ETH / 10n;
    await swap.open();
    await withdraw(await seen());
    swap.chain.deposit(swap.order.depositAddress, "eth", DUST);
    await swap.blocks(1);
    expect(await stored()).toMatchObject({ state: "confirming", unpaid_until: expect.any(Date) });
    const watched = await watchedAddresses(database, { network: "ETH", coin: "eth", height: swap.chain.tip.height });
    expect(watched.map((one) => one.held.get("eth"))).toEqual([DUST]);
    swap.pay();
    await swap.blocks(5);
    expect(swap.paid()).toHaveLength(1);
    await swap.expectLawful();
  });
});

describe("a payment that is withdrawn", () => {
  const LARGE = 400n * HALF_ETH;
  const take: [string, Partial<CreateOrderBody>, () => Promise<unknown>][] = [
    ["under the minimum", {}, () => seen(HALF_ETH / 50n)],
    ["over the maximum", {}, () => seen(LARGE)],
    ["in part", FIXED, () => seen(HALF_ETH / 2n)],
    [
      "late, with an offer to choose",
      FIXED,
      async () => {
        pass(3_600);
        await seen();
        expect((await stored()).state).toBe("awaiting_choice");
      },
    ],
    [
      "with its refund asked for",
      { refundAddress: "back" },
      async () => {
        await seen();
        await askForRefund(swap.testEngine, swap.order, "back");
        expect((await stored()).state).toBe("refund_requested");
      },
    ],
  ];

  it.each(take)("%s leaves no order that never ends", async (_, body, pay) => {
    rates.min = HALF_ETH / 10n;
    await swap.open(body);
    await pay();
    swap.chain.pending.splice(0);
    await pending();
    expect((await stored()).unpaid_until).not.toBeNull();
    expect((await swap.info()).deposits).toEqual([]);
    await days(3);
    expect((await stored()).state).toBe("expired");
    expect(await held()).toEqual([]);
  });

  it.each(take)("%s by a reorganisation ends the same", async (_, body, pay) => {
    rates.min = HALF_ETH / 10n;
    await swap.open(body);
    await pay();
    await swap.blocks(1);
    swap.chain.reorg(1);
    swap.chain.pending.splice(0);
    await swap.settle();
    expect((await swap.info()).deposits).toEqual([]);
    await days(3);
    expect((await stored()).state).toBe("expired");
    expect(await held()).toEqual([]);
  });

  it("accepts no offer: there is nothing to exchange", async () => {
    await swap.open(FIXED);
    pass(3_600);
    await withdraw(await seen());
    const { orderId, destinationAddress } = swap.order;
    await expect(engine().orderService.acceptRateModeChange({ orderId, destinationAddress })).rejects.toMatchObject({
      code: "ERR_UNPROCESSABLE_ENTITY",
    });
    expect(kindsOf(await swap.info()).filter((kind) => kind === "RATE_MODE_CHANGED")).toHaveLength(1);
  });

  it("of another coin waits for nobody", async () => {
    await swap.open();
    const txId = swap.chain.deposit(swap.order.depositAddress, "usdt-erc20", 5_000_000n);
    await pending();
    expect(await held()).toEqual([]);
    await withdraw(txId);
    await days(2);
    expect(await deposits()).toEqual([]);
  });
});

describe("payments to an order that is over", () => {
  it.each([
    ["without a refund address", {}],
    ["with one", { refundAddress: "back" }],
  ])("are held for nobody before a block has them: %s", async (_, body) => {
    await expired(body);
    for (let made = 0; made < 5; made += 1) await withdraw(await seen());
    expect(await held()).toEqual([]);
    expect(errors).toEqual([]);
    await days(2);
    expect(await deposits()).toEqual([]);
    await seen();
    await swap.blocks(5);
    expect(await held()).toEqual("refundAddress" in body ? [] : [expect.stringContaining("after_settlement")]);
  });

  it("that were held and are gone end by themselves, and with them the refund that was asked for", async () => {
    await expired();
    await seen();
    await swap.blocks(1);
    const [row] = await held();
    const id = row?.split(" ")[1];
    await say(`deposit refund ${id} why --as ann --to ${REFUND_ADDRESS}`);
    swap.chain.reorg(1);
    swap.chain.pending.splice(0);
    await swap.settle();
    for (const command of ["write-off", "credit", `refund --to ${REFUND_ADDRESS}`]) {
      const [name, ...options] = command.split(" ");
      await expect(say(["deposit", name, id, "why", "--as", "ann", ...options].join(" "))).rejects.toThrow(
        "in no block now",
      );
    }
    expect(await held()).toHaveLength(1);
    await days(2);
    expect(await held()).toEqual([]);
    expect(await deposits()).toEqual([]);
    await swap.blocks(3);
    expect(swap.chain.received(REFUND_ADDRESS, "eth")).toEqual([]);
  });

  it("that an older version held while they were in a mempool end as well", async () => {
    await expired();
    const txId = await seen();
    await database.kysely.updateTable("deposits").set({ review_reason: "after_settlement" }).execute();
    await withdraw(txId);
    expect(await held()).toHaveLength(1);
    await days(2);
    expect(await held()).toEqual([]);
  });

  it("bring none back from the archive before a block has them", async () => {
    await expired();
    await days(60);
    await archive();
    const archived = async () => (await database.pool.query("select from archived_orders")).rowCount;
    expect(await archived()).toBe(1);
    const txId = await seen();
    expect([await archived(), await deposits()]).toEqual([1, []]);
    await withdraw(txId);
    await seen();
    await swap.blocks(1);
    expect(await archived()).toBe(0);
    expect(await held()).toEqual([expect.stringContaining("after_settlement")]);
  });
});
