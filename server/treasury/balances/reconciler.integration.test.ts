import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { markRestored } from "../../db/backup/restored.ts";
import { inTransaction } from "../../db/transaction.ts";
import { createLog } from "../../base/logging/log.ts";
import { openBooks } from "../ledger/ledger.ts";
import { createReconciler } from "./reconciler.ts";

describe("the reconciler", () => {
  const HALF_ETH = 5n * 10n ** 17n;
  const HOT_BALANCE = 10_000_000_000n;
  let database: TestDatabase;
  let chain: FakeChain;
  let testEngine: TestEngine;
  let reconciler: ReturnType<typeof createReconciler>;

  beforeEach(async () => {
    database = await freshDatabase();
    chain = new FakeChain();
    chain.balances.set("usdt-erc20", HOT_BALANCE).set("eth", 10n ** 18n);
    testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
    const clock = { now: () => new Date() };
    await openBooks(database, chain, ["usdt-erc20", "eth"], clock);
    reconciler = createReconciler({
      database,
      wallets: new Map([["ETH", chain]]),
      readers: new Map([["ETH", chain]]),
      slugsOf: () => ["usdt-erc20", "eth"],
      switches: testEngine.switches,
      clock,
      log: createLog({ level: "silent" }),
    });
    await testEngine.settle();
  });
  afterEach(() => database.drop());

  const usdt = { slug: "usdt-erc20", networkTitle: "ETH" };
  const isStopped = () => testEngine.switches.stopped("pay", usdt, "to") !== null;
  const swap = async () => {
    const order = await testEngine.engine.orderService.create(orderBody(), { key: "c", traceId: "t" });
    chain.deposit(order.depositAddress, "eth", HALF_ETH);
    return order;
  };
  const mineAndLook = async (blocks: number, fee = 21n) => {
    for (let mined = 0; mined < blocks; mined += 1) {
      chain.mine();
      const paid = chain.received("destination", "usdt-erc20").reduce((sum, amount) => sum + amount, 0n);
      chain.balances.set("usdt-erc20", HOT_BALANCE - paid).set("eth", 10n ** 18n - (paid > 0n ? fee : 0n));
      await testEngine.settle();
      await reconciler.reconcile("ETH");
      await reconciler.reconcile("ETH");
    }
  };

  it("books a surplus once, also where two processes have measured it", async () => {
    chain.balances.set("usdt-erc20", HOT_BALANCE + 7n);
    const measured = Promise.withResolvers<void>();
    const balance = chain.hotBalance.bind(chain);
    // The first waits with what it has measured until the second has booked it.
    let asked = 0;
    chain.hotBalance = async (slug) => {
      const held = await balance(slug);
      if (slug === "usdt-erc20" && (asked += 1) === 2) measured.resolve();
      if (slug === "usdt-erc20") await measured.promise;
      return held;
    };
    await Promise.all([reconciler.reconcile("ETH"), reconciler.reconcile("ETH")]);
    const booked = await database.kysely
      .selectFrom("ledger_transfers")
      .select("id")
      .where("kind", "in", ["top_up", "surplus"])
      .execute();
    expect(booked).toHaveLength(1);
    expect(isStopped()).toBe(false);
  });

  it("asks the node of a network where nothing moves for balances alone", async () => {
    const asked: string[] = [];
    const [balance, fee] = [chain.hotBalance.bind(chain), chain.estimateFee.bind(chain)];
    chain.hotBalance = (slug) => (asked.push(slug), balance(slug));
    chain.estimateFee = () => (asked.push("fee"), fee());

    await reconciler.reconcile("ETH");
    expect(asked).toEqual(["usdt-erc20", "eth"]);

    chain.balances.set("eth", 10n ** 18n - 1n);
    await reconciler.reconcile("ETH");
    expect(asked).toContain("fee");
  });

  it("finds nothing wrong at any moment of a correct swap", async () => {
    await swap();
    await mineAndLook(8);
    expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
    expect(isStopped()).toBe(false);
    const topUps = await database.kysely
      .selectFrom("ledger_transfers")
      .select("id")
      .where("kind", "in", ["top_up", "surplus"])
      .execute();
    expect(topUps).toEqual([]);
  });

  describe("when a payment was signed for more than many times what the coin itself costs to send", () => {
    const SIGNED_FEE = 30n * 21n;
    beforeEach(async () => {
      chain.marketFee = SIGNED_FEE;
      await swap();
      while (chain.pending.every(({ from }) => from === "outside")) {
        chain.mine();
        await testEngine.settle();
      }
      chain.marketFee = 21n;
    });

    it("takes that fee for no shortage", async () => {
      await mineAndLook(8, SIGNED_FEE);
      expect(chain.received("destination", "usdt-erc20")).toHaveLength(1);
      expect(isStopped()).toBe(false);
    });

    it("stops the payments for one unit more", async () => {
      await mineAndLook(1, SIGNED_FEE + 1n);
      expect(isStopped()).toBe(true);
    });
  });

  it("stops a network's payments when coins are missing in two runs, and a paid order waits", async () => {
    chain.balances.set("usdt-erc20", HOT_BALANCE - 1n);
    await reconciler.reconcile("ETH");
    expect(isStopped()).toBe(false);
    await reconciler.reconcile("ETH");
    expect(isStopped()).toBe(true);
    const { orderId } = await swap();
    for (let mined = 0; mined < 5; mined += 1) {
      chain.mine();
      await testEngine.settle();
    }
    expect(chain.received("destination", "usdt-erc20")).toEqual([]);
    expect((await testEngine.engine.orderService.info(orderId, "destination")).status).toBe("FUNDS_WITHDRAWAL_START");
  });

  it("ignores a shortage that the next run doesn't find", async () => {
    chain.balances.set("usdt-erc20", HOT_BALANCE - 1n);
    await reconciler.reconcile("ETH");
    chain.balances.set("usdt-erc20", HOT_BALANCE);
    await reconciler.reconcile("ETH");
    chain.balances.set("usdt-erc20", HOT_BALANCE - 1n);
    await reconciler.reconcile("ETH");
    expect(isStopped()).toBe(false);
  });

  it("books coins that were added once", async () => {
    chain.balances.set("usdt-erc20", HOT_BALANCE + 500n);
    await reconciler.reconcile("ETH");
    await reconciler.reconcile("ETH");
    const hot = await database.kysely
      .selectFrom("ledger_accounts")
      .select("balance")
      .where("name", "=", "hot")
      .where("slug", "=", "usdt-erc20")
      .executeTakeFirstOrThrow();
    expect(hot.balance).toBe(-(HOT_BALANCE + 500n));
  });

  describe("over coins that were added, while the rows don't know what the chain shows", () => {
    const kinds = async () =>
      (
        await database.kysely
          .selectFrom("ledger_transfers")
          .select("kind")
          .where("kind", "in", ["top_up", "surplus"])
          .orderBy("id")
          .execute()
      ).map(({ kind }) => kind);
    const announcement = () =>
      database.kysely.selectFrom("expected_top_ups").select("amount").executeTakeFirstOrThrow();
    beforeEach(async () => {
      await database.pool.query(
        `insert into expected_top_ups (network, slug, amount, expected_by, expires_at)
         values ('ETH', 'usdt-erc20', 300, 'ann', now() + interval '1 hour')`,
      );
      chain.mine(2);
      await testEngine.settle();
      chain.balances.set("usdt-erc20", HOT_BALANCE + 500n);
    });
    const booksNothing = async () => {
      await reconciler.reconcile("ETH");
      await reconciler.reconcile("ETH");
      expect(await kinds()).toEqual([]);
      expect(await announcement()).toEqual({ amount: 300n });
    };
    const books = async () => {
      await reconciler.reconcile("ETH");
      expect((await kinds()).toSorted()).toEqual(["surplus", "top_up"]);
      expect(await announcement()).toEqual({ amount: 0n });
    };

    it("books nothing before a network is read to its tip after a restore", async () => {
      await inTransaction(database, markRestored);
      await booksNothing();
      await testEngine.settle();
      await books();
    });

    it("books nothing while a payment that no row knows is undecided", async () => {
      await database.pool.query(
        "insert into unknown_payments (network, tx_id, height, found_at) values ('ETH', 'a', 2, now())",
      );
      await booksNothing();
      await database.pool.query("update unknown_payments set decision = 'not ours', decided_at = now()");
      await books();
    });

    it("opens no books of a coin that was added since the backup", async () => {
      const opened = () => openBooks(database, chain, ["usdc-erc20"], { now: () => new Date() });
      const transfers = () =>
        database.kysely.selectFrom("ledger_transfers").select("at").where("source_id", "=", "usdc-erc20").execute();
      chain.balances.set("usdc-erc20", 9n);
      await inTransaction(database, markRestored);
      await expect(opened()).rejects.toThrow("not read to its tip");
      expect(await transfers()).toEqual([]);
      await testEngine.settle();
      await opened();
      expect(await transfers()).toHaveLength(1);
    });

    it("books nothing where the restore is noticed while it measures", async () => {
      const blockAt = chain.blockAt.bind(chain);
      chain.blockAt = async (height) => {
        const block = await blockAt(height);
        await inTransaction(database, markRestored);
        return block;
      };
      await booksNothing();
    });

    it("books nothing while the follower has stopped it over another chain", async () => {
      const own = chain.blocks;
      chain.blocks = own.map(({ transactions, ...block }) => ({
        ...block,
        transactions,
        hash: `other ${block.hash}`,
        parentHash: `other ${block.parentHash}`,
      }));
      chain.mine(3);
      await expect(testEngine.settle()).rejects.toThrow("the chain changed below");
      await booksNothing();
      chain.blocks = own;
      await testEngine.settle();
      await booksNothing();
      await testEngine.switches.release({ action: "pay", scope: "ETH", direction: "both" });
      await books();
    });

    it("books nothing from a node that is behind the blocks that were read, or on another chain", async () => {
      const [own, last] = [chain.blocks, chain.blocks.at(-1)];
      chain.blocks = own.slice(0, -1);
      await booksNothing();
      if (last === undefined) throw new Error("no block");
      chain.blocks = [...own.slice(0, -1), { ...last, hash: "another" }];
      await booksNothing();
      chain.blocks = own;
      await books();
    });

    it("books nothing where the node has fallen back between two questions", async () => {
      const balance = chain.hotBalance.bind(chain);
      let asked = 0;
      chain.hotBalance = async (slug) => (await balance(slug)) + BigInt((asked += 1) % 2);
      await booksNothing();
    });

    it("stops the network over a shortage all the same", async () => {
      await inTransaction(database, markRestored);
      chain.balances.set("usdt-erc20", HOT_BALANCE - 1n);
      await reconciler.reconcile("ETH");
      await reconciler.reconcile("ETH");
      expect(isStopped()).toBe(true);
    });
  });

  describe("over a payment that no row knew", () => {
    const LOST = 2_500_000n;
    const both = { action: "pay", scope: "ETH", direction: "both" } as const;
    const runs = async (count: number) => {
      for (let run = 0; run < count; run += 1) await reconciler.reconcile("ETH");
    };
    const decide = (decision: string) =>
      database.pool.query(
        `update unknown_payments set decision = $1, decided_at = now(),
           payout_id = case when $1 = 'booked' then (select id from payouts) end`,
        [decision],
      );
    beforeEach(async () => {
      await database.pool.query(`
        insert into unknown_payments (network, tx_id, found_at) values ('ETH', '0x1', now());
        insert into deposits (network, tx_id, output_index, address, slug, amount, detected_at)
          values ('ETH', '0x2', 0, 'a', 'eth', 1, now());
        insert into payouts (deposit_id, purpose, network, slug, to_address, amount, state, created_at)
          select id, 'refund', 'ETH', 'eth', 'a', 1, 'final', now() from deposits`);
      chain.balances.set("usdt-erc20", HOT_BALANCE - LOST);
      await runs(2);
      expect(isStopped()).toBe(true);
    });
    const bringBack = () => chain.balances.set("usdt-erc20", HOT_BALANCE);

    it("ends its stop once that is booked and two runs miss nothing", async () => {
      bringBack();
      await runs(3);
      expect(isStopped(), "undecided").toBe(true);
      chain.balances.set("usdt-erc20", HOT_BALANCE - LOST);
      await runs(2);
      await decide("booked");
      await runs(2);
      expect(isStopped(), "it still misses something").toBe(true);
      bringBack();
      await runs(1);
      expect(isStopped(), "after one run").toBe(true);
      await runs(1);
      expect(isStopped()).toBe(false);
    });

    it("leaves its stop to an operator where it was made outside, and the stop of an operator anyway", async () => {
      await testEngine.switches.stop({ ...both, reason: "maintenance" });
      bringBack();
      await decide("not ours");
      await runs(3);
      expect((await testEngine.switches.list()).map(({ cause }) => cause).toSorted()).toEqual([
        "operator",
        "reconciler",
      ]);
      await decide("booked");
      await runs(3);
      expect((await testEngine.switches.list()).map(({ cause }) => cause)).toEqual(["operator"]);
    });
  });
});
