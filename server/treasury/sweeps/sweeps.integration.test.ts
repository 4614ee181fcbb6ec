import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "../../base/logging/log.ts";
import { inTransaction } from "../../db/transaction.ts";
import { post } from "../ledger/ledger.ts";
import { bookFinal } from "../payouts/ledger.ts";
import { PaymentRefusedError } from "../../chains/port.ts";
import { runHeldCommand } from "../operator/held-commands.ts";
import { loadPayout } from "../payouts/store.ts";
import { violations } from "../../../tests/support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { makeDue } from "../../../tests/support/database/due-rows.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { SWEEP_COST, SweepingChain } from "../../../tests/support/chains/sweeping-chain.ts";

const HALF_ETH = 5n * 10n ** 17n;
const USDT_1500 = 1_500_000_000n;
const client = { key: "c", traceId: "t" };
const tokenOrder = orderBody({
  instrumentFrom: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
  instrumentTo: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
  claimedDepositAmount: "1500",
});

let database: TestDatabase;
let chain: SweepingChain;
let testEngine: TestEngine;
let lines: string[];
beforeEach(async () => {
  database = await freshDatabase();
  chain = new SweepingChain();
  lines = [];
  const log = createLog({ level: "warn", destination: { write: (line: string) => void lines.push(line) } });
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, log });
  await testEngine.settle();
});
afterEach(() => database.drop());

const completed = async (body = orderBody(), slug = "eth", amount = HALF_ETH) => {
  const order = await testEngine.engine.orderService.create(body, client);
  const txId = chain.deposit(order.depositAddress, slug, amount);
  for (let mined = 0; mined < 8; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
  return { ...order, txId };
};
const move = async (blocks = 10) => {
  await testEngine.engine.planSweeps();
  for (let mined = 0; mined < blocks; mined += 1) {
    await makeDue(database, "sweeps", "payouts");
    while (await testEngine.engine.runSweeps("ETH"));
    chain.mine();
    await testEngine.settle();
  }
};
const balance = async (name: string, slug: string) => {
  const row = await database.kysely
    .selectFrom("ledger_accounts")
    .select("balance")
    .where("name", "=", name)
    .where("slug", "=", slug)
    .executeTakeFirst();
  return row?.balance ?? 0n;
};
const payments = () =>
  database.kysely
    .selectFrom("payouts")
    .select(["purpose", "slug", "amount", "state", "to_address"])
    .where("sweep_id", "is not", null)
    .orderBy("id")
    .execute();
const nothingBroken = async () => {
  const delivered = async (orderId: string) => {
    const order = await database.kysely.selectFrom("payouts").selectAll().where("order_id", "=", orderId).execute();
    return order.flatMap((row) => chain.received(row.to_address, row.slug).slice(0, 1));
  };
  expect(await violations(database, { delivered, isDeep: async () => true }, 3)).toEqual([]);
};

describe("a sweep", () => {
  it("moves a coin to the hot wallet, less the maximum fee, and books the actual fee", async () => {
    const { depositAddress } = await completed();
    await move();
    expect(await payments()).toEqual([
      { purpose: "sweep", slug: "eth", amount: HALF_ETH - SWEEP_COST, state: "final", to_address: "hot" },
    ]);
    expect(chain.received("hot", "eth")).toEqual([HALF_ETH - SWEEP_COST]);
    expect(await balance("deposits", "eth")).toBe(-chain.holds(depositAddress, "eth"));
    expect(chain.holds(depositAddress, "eth")).toBe(SWEEP_COST - 21n);
    await nothingBroken();
  });

  it("is put in review after its tries when its coins are gone, and goes on once they are back", async () => {
    await completed();
    const held = chain.depositBalance.bind(chain);
    chain.depositBalance = async () => 0n;
    await move(12);
    const state = () =>
      database.kysely.selectFrom("payouts").select(["state", "review_reason"]).where("purpose", "=", "sweep").execute();
    expect(await state()).toEqual([{ state: "review", review_reason: "failed_repeatedly" }]);
    chain.depositBalance = held;
    await database.kysely
      .updateTable("payouts")
      .set({ state: "intended", failures: 0, next_attempt_at: new Date(0) })
      .where("purpose", "=", "sweep")
      .execute();
    await move();
    expect(chain.received("hot", "eth")).toEqual([HALF_ETH - SWEEP_COST]);
  });

  it("of a token first gets its gas from the hot wallet, which is no deposit", async () => {
    const { depositAddress, orderId } = await completed(tokenOrder, "usdt-erc20", USDT_1500);
    await move();
    expect(await payments()).toEqual([
      { purpose: "gas", slug: "eth", amount: SWEEP_COST, state: "final", to_address: depositAddress },
      { purpose: "sweep", slug: "usdt-erc20", amount: USDT_1500, state: "final", to_address: "hot" },
    ]);
    expect(chain.received("hot", "usdt-erc20")).toEqual([USDT_1500]);
    expect(await balance("deposits", "usdt-erc20")).toBe(0n);
    expect(await balance("deposits", "eth")).toBe(-chain.holds(depositAddress, "eth"));
    const deposits = await database.kysely
      .selectFrom("deposits")
      .select("slug")
      .where("order_id", "=", orderId)
      .execute();
    expect(deposits).toEqual([{ slug: "usdt-erc20" }]);
    await nothingBroken();
  });

  it.each([
    ["a token", tokenOrder, "usdt-erc20", USDT_1500],
    ["the coin itself", orderBody(), "eth", HALF_ETH],
  ] as const)("of %s waits while it costs more than a small part of what it moves", async (_, body, slug, amount) => {
    await completed(body, slug, amount);
    // 1,500 USD are moved: a hundredth of it is 5,000,000 gwei.
    chain.sweepCostNow = (HALF_ETH * 101n) / 10_000n;
    await move();
    expect(await payments()).toEqual([]);
    expect(chain.received("hot", slug)).toEqual([]);
    expect(lines.filter((line) => line.includes("sweeps wait until they cost less"))).toHaveLength(1);
    chain.sweepCostNow = (HALF_ETH * 99n) / 10_000n;
    await move();
    expect(chain.received("hot", slug)).toHaveLength(1);
    await nothingBroken();
  });

  it("of a token counts the payment for its gas, and pays none while there are no prices", async () => {
    await completed(tokenOrder, "usdt-erc20", USDT_1500);
    chain.estimateFee = async () => HALF_ETH / 100n;
    await move();
    expect(await payments()).toEqual([]);
    chain.estimateFee = async () => 21n;
    const price = testEngine.rates.prices.get("eth") ?? 0n;
    testEngine.rates.prices.delete("eth");
    await move();
    expect(await payments()).toEqual([]);
    testEngine.rates.prices.set("eth", price);
    await move();
    expect(chain.received("hot", "usdt-erc20")).toEqual([USDT_1500]);
  });

  it("of a token uses what another one has left for gas at its address", async () => {
    const { depositAddress } = await completed(tokenOrder, "usdt-erc20", USDT_1500);
    await move();
    const left = chain.holds(depositAddress, "eth");
    expect(left).toBe(SWEEP_COST - 21n);
    chain.deposit(depositAddress, "usdt-erc20", USDT_1500);
    chain.mine(4);
    await testEngine.settle();
    await database.kysely.updateTable("deposits").set({ credited_at: new Date() }).execute();
    await move();
    expect(await payments()).toMatchObject([
      {},
      {},
      { purpose: "gas", amount: SWEEP_COST - left },
      { purpose: "sweep" },
    ]);
  });

  describe("whose token refuses to move", () => {
    let refusals: number;
    beforeEach(async () => {
      await completed(tokenOrder, "usdt-erc20", USDT_1500);
      refusals = 0;
      const cost = chain.sweepCost.bind(chain);
      chain.sweepCost = async () => {
        refusals += 1;
        throw new PaymentRefusedError("destination_reverts", "this address is frozen");
      };
      await testEngine.engine.planSweeps();
      while (await testEngine.engine.runSweeps("ETH"));
      const { rows } = await database.pool.query(
        "select failures, next_attempt_at > now() + interval '1 second' as waits from sweeps",
      );
      expect(rows).toEqual([{ failures: 1, waits: true }]);
      await move(12);
      chain.sweepCost = cost;
    });
    const say = (text: string) =>
      runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, text.split(" "));

    it("is put in review after its tries, with an alert, and tried again on a command", async () => {
      expect(refusals).toBe(8);
      expect(lines.filter((line) => line.includes("a sweep needs review"))).toHaveLength(1);
      expect(await say("held")).toMatch(
        /^sweep 1 {2}destination_reverts {2}for 0 min {2}\(sweep of 1500 usdt-erc20, from deposit-\d+, this address is frozen\)$/,
      );
      await say("sweep retry 1 it is no longer frozen --as ann");
      await move();
      expect(chain.received("hot", "usdt-erc20")).toEqual([USDT_1500]);
      await expect(say("sweep retry 1 again --as ann")).rejects.toThrow("is done, not in review");
      await nothingBroken();
    });

    it("is written off by two operators, and never tried again", async () => {
      await say("sweep write-off 1 it stays frozen --as ann");
      await expect(say("sweep write-off 1 it stays frozen --as bob")).rejects.toThrow("somebody else confirms it");
      expect(await say("held")).toContain("proposal 1");
      await expect(say("freeze confirm 1 so it is --as ann")).rejects.toThrow("somebody else");
      await say("freeze confirm 1 so it is --as bob");
      expect(await say("held")).toBe("nothing is held");
      expect(await balance("deposits", "usdt-erc20")).toBe(0n);
      await move();
      expect(await payments()).toEqual([]);
    });

    it("is not written off any more once it goes on", async () => {
      await say("sweep write-off 1 it stays frozen --as ann");
      await say("sweep retry 1 it is no longer frozen --as bob");
      await expect(say("freeze confirm 1 so it is --as bob")).rejects.toThrow("not in review");
    });
  });

  it("includes a deposit once, however often it is planned", async () => {
    await completed();
    await Promise.all(Array.from({ length: 4 }, () => testEngine.engine.planSweeps()));
    await move();
    await move();
    expect(await payments()).toHaveLength(1);
    expect(await database.kysely.selectFrom("sweeps").select(["state"]).execute()).toEqual([{ state: "done" }]);
  });

  it("leaves dust until there is more of it", async () => {
    const { depositAddress } = await completed(orderBody({ claimedDepositAmount: "0.005" }), "eth", 5n * 10n ** 15n);
    await move(2);
    expect(await database.kysely.selectFrom("sweeps").selectAll().execute()).toEqual([]);
    expect(chain.holds(depositAddress, "eth")).toBe(5n * 10n ** 15n);
  });

  it("waits while payments of that side are stopped, and continues afterwards", async () => {
    await completed();
    const one = { action: "pay", scope: "eth", direction: "from" } as const;
    await testEngine.switches.stop({ ...one, reason: "test" });
    await move(3);
    expect(chain.received("hot", "eth")).toEqual([]);
    // Tried each few seconds for as long as it lasts, said once.
    expect(lines.filter((line) => line.includes("payments are stopped"))).toHaveLength(1);
    await testEngine.switches.release(one);
    await move();
    expect(chain.received("hot", "eth")).toHaveLength(1);
  });

  const plannedOnly = async () => {
    await testEngine.switches.stop({ action: "pay", scope: "*", direction: "from", reason: "to plan, not to sign" });
    await move(2);
    expect(await payments()).toMatchObject([{ state: "intended", amount: HALF_ETH - SWEEP_COST }]);
    await testEngine.switches.release({ action: "pay", scope: "*", direction: "from" });
  };

  it.each([
    ["risen", SWEEP_COST * 3n],
    ["fallen", SWEEP_COST - 20n],
  ])("moves what its fee leaves when it is signed: it has %s since it was planned", async (_, cost) => {
    const { depositAddress } = await completed();
    await plannedOnly();
    chain.sweepCostNow = cost;
    await move();
    expect(await payments()).toMatchObject([{ state: "final", amount: HALF_ETH - cost }]);
    expect(chain.received("hot", "eth")).toEqual([HALF_ETH - cost]);
    expect(await balance("deposits", "eth")).toBe(-chain.holds(depositAddress, "eth"));
    await nothingBroken();
  });

  it("leaves what came after it was planned to the sweep of that", async () => {
    const { depositAddress } = await completed();
    await plannedOnly();
    chain.deposit(depositAddress, "eth", HALF_ETH);
    chain.sweepCostNow = SWEEP_COST * 3n;
    await move();
    expect(chain.received("hot", "eth")).toEqual([HALF_ETH - SWEEP_COST * 3n]);
  });

  it("waits while its fee would take as much as it moves", async () => {
    await completed();
    await plannedOnly();
    chain.sweepCostNow = HALF_ETH / 2n;
    await move(10);
    expect(chain.received("hot", "eth")).toEqual([]);
    expect(await payments()).toMatchObject([{ state: "intended" }]);
    chain.sweepCostNow = SWEEP_COST;
    await move();
    expect(chain.received("hot", "eth")).toEqual([HALF_ETH - SWEEP_COST]);
  });

  it("signs nothing that its own row doesn't demand", async () => {
    await completed();
    await testEngine.switches.stop({ action: "pay", scope: "*", direction: "from", reason: "to plan, not to sign" });
    await move(2);
    await database.kysely.updateTable("payouts").set({ to_address: "thief" }).where("purpose", "=", "sweep").execute();
    await testEngine.switches.release({ action: "pay", scope: "*", direction: "from" });
    await move(3);
    expect(chain.received("thief", "eth")).toEqual([]);
    expect(await payments()).toMatchObject([{ state: "review" }]);
  });

  it.each(["its replacement", "the first of them"])(
    "that no block takes moves less for a higher fee, and what a block takes is booked: %s",
    async (taken) => {
      const fee = 2_000n;
      const { depositAddress } = await completed();
      await testEngine.engine.planSweeps();
      await makeDue(database, "sweeps", "payouts");
      while (await testEngine.engine.runSweeps("ETH"));
      chain.marketFee = fee;
      await move(1);
      await database.kysely
        .updateTable("payouts")
        .set({ replace_at: new Date(0) })
        .where("replace_at", "is not", null)
        .execute();
      await makeDue(database, "sweeps", "payouts");
      while (await testEngine.engine.runSweeps("ETH"));
      const attempts = await database.kysely
        .selectFrom("payout_attempts")
        .innerJoin("payouts", "payouts.id", "payout_attempts.payout_id")
        .select(["payout_attempts.tx_id as txId", "payout_attempts.amount", "payout_attempts.replaces"])
        .where("payouts.purpose", "=", "sweep")
        .orderBy("n")
        .execute();
      expect(attempts).toMatchObject([
        { amount: HALF_ETH - SWEEP_COST, replaces: null },
        { amount: HALF_ETH - fee, replaces: 1 },
      ]);
      if (taken === "the first of them") {
        chain.marketFee = 21n;
        chain.takeReplaced(attempts[0]?.txId ?? "");
        chain.mine();
        await testEngine.settle();
      }
      await move();
      const moved = taken === "its replacement" ? HALF_ETH - fee : HALF_ETH - SWEEP_COST;
      expect(await payments()).toMatchObject([{ state: "final", amount: moved }]);
      expect(chain.received("hot", "eth")).toEqual([moved]);
      expect(await balance("deposits", "eth")).toBe(-chain.holds(depositAddress, "eth"));
      await nothingBroken();
    },
  );

  it("whose transaction changed after it was final is booked by what the last one moved", async () => {
    const fee = 2_000n;
    const { depositAddress } = await completed();
    await move();
    const before = await balance("hot", "eth");
    expect(await balance("deposits", "eth")).toBe(-chain.holds(depositAddress, "eth"));
    const { id } = await database.kysely
      .selectFrom("payouts")
      .select("id")
      .where("purpose", "=", "sweep")
      .executeTakeFirstOrThrow();
    const payout = await loadPayout(database, id);
    if (payout === null) throw new Error("there is no payment");
    const parts = { post, at: new Date(), feeSlug: "eth", feePaid: fee };
    for (const amount of [HALF_ETH - fee, HALF_ETH - fee])
      await inTransaction(database, (transaction) => bookFinal(transaction, { ...payout, amount }, parts));
    expect((await balance("hot", "eth")) - before).toBe(fee - SWEEP_COST);
    expect(await balance("deposits", "eth")).toBe(0n);
  });

  it("never delays a customer's payout", async () => {
    await completed();
    await testEngine.engine.planSweeps();
    await makeDue(database, "sweeps", "payouts");
    while (await testEngine.engine.runPayouts("ETH"));
    expect(await payments()).toEqual([]);
  });
});

it("a network whose wallet spends from all its addresses is not swept", async () => {
  const plain = new FakeChain();
  const other = await freshDatabase();
  const unswept = await createTestEngine({ database: other, reader: plain, wallet: plain });
  await unswept.engine.planSweeps();
  expect(await unswept.engine.runSweeps("ETH")).toBe(false);
  await other.drop();
});
