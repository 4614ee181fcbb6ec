import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { violations } from "../../tests/support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { createTestEngine, orderBody } from "../../tests/support/scenarios/test-engine.ts";
import { timePasses } from "../../tests/support/scenarios/dying-process.ts";
import { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { FaultySwap } from "../../tests/support/scenarios/faulty-swap.ts";
import { inTransaction } from "../db/transaction.ts";
import { createLog } from "../base/logging/log.ts";
import { requireInstrument } from "../catalogue/index.ts";
import type { PreparedPayment } from "../chains/port.ts";
import { openBooks } from "../treasury/ledger/ledger.ts";
import { createReconciler } from "../treasury/balances/reconciler.ts";
import { post } from "../treasury/ledger/ledger.ts";

const systemClock = { now: () => new Date() };
const FULL = 1_491_500_000n;

let database: TestDatabase;
let swap: FaultySwap;

/** A swap that is paid and final, and passes every checker. */
beforeEach(async () => {
  database = await freshDatabase();
  swap = await FaultySwap.over(database);
  await swap.open();
  swap.pay();
  await swap.blocks(7);
  await swap.expectLawful();
});
afterEach(() => database.drop());

const run = (statement: string) => sql.raw(statement).execute(database.kysely);
const broken = (): Promise<string[]> =>
  violations(
    database,
    {
      delivered: async () => swap.paid(),
      isDeep: async (txId) => (await swap.chain.lookup(txId)).kind === "mined",
    },
    3,
  );
const expectNoticed = async (violation: RegExp) =>
  expect(await broken()).toContainEqual(expect.stringMatching(violation));

/** What happens while transactions are open, as PostgreSQL sees it. */
async function openTransactions(): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`.execute(
    database.kysely,
  );
  return rows[0]?.open ?? 0;
}

describe("a checker notices when a constraint is missing:", () => {
  it("law 1: history is append-only", async () => {
    await run("drop trigger order_events_append_only on order_events");
    await run("delete from order_events where seq = 3");
    await expectNoticed(/misses event 3/);
  });

  it("law 2: the state is what the events make of it", async () => {
    await run("update orders set version = version + 1");
    await expectNoticed(/is at version 6 with 5 events/);
  });

  it("law 3: nothing outside is called in a transaction", async () => {
    const seen: number[] = [];
    const watched = new Proxy(new FakeChain(), {
      get: (chain, name) => {
        const member: unknown = Reflect.get(chain, name, chain);
        if (
          typeof member !== "function" ||
          !["head", "blockAt", "lookup", "broadcast", "prepare"].includes(String(name))
        )
          return typeof member === "function" ? member.bind(chain) : member;
        return async (...args: unknown[]) => {
          seen.push(await openTransactions());
          return Reflect.apply(member, chain, args);
        };
      },
    });
    const other = await createTestEngine({ database, reader: watched, wallet: watched });
    await run("delete from chain_tail");
    await other.settle();
    expect(seen.length).toBeGreaterThan(2);
    expect(Math.max(...seen)).toBe(0);
    await inTransaction(database, async (transaction) => {
      await sql`select 1`.execute(transaction);
      await watched.head();
    });
    expect(seen.at(-1)).toBe(1);
  });

  it("law 4: an order has one payment", async () => {
    await run("alter table payouts drop constraint payouts_order_id_key");
    await run(`insert into payouts (order_id, purpose, network, slug, to_address, amount, state, created_at, next_attempt_at)
      select order_id, purpose, network, slug, to_address, amount, 'intended', now(), now() from payouts`);
    await expectNoticed(/has 2 payments/);
  });

  it("law 5: a nonce belongs to one payment", async () => {
    await run("update payout_handles set released_at = null");
    await run("drop index payout_handles_taken");
    await run(
      "insert into payout_handles (network, key, payout_id, data) select network, key, payout_id, data from payout_handles",
    );
    await expectNoticed(/handle hot:0 of ETH is reserved 2 times/);
  });

  it("law 5: what leaves is stored and committed before", async () => {
    const unstored: string[] = [];
    const broadcast = swap.chain.broadcast.bind(swap.chain);
    swap.chain.broadcast = async (prepared: PreparedPayment) => {
      const known = await database.kysely
        .selectFrom("payout_attempts")
        .select("n")
        .where("tx_id", "=", prepared.txId)
        .executeTakeFirst();
      if (known === undefined) unstored.push(prepared.txId);
      return broadcast(prepared);
    };
    await swap.open();
    swap.pay();
    await swap.blocks(5);
    expect(unstored).toEqual([]);
    await swap.chain.broadcast({ raw: JSON.stringify({ nonce: 9, transfers: [] }), txId: "never stored" });
    expect(unstored).toEqual(["never stored"]);
  });

  it("law 6: an unknown result is never treated as a failure", async () => {
    await run("delete from payout_handles");
    await run("update payout_attempts set status = 'dead'");
    await run("update payouts set state = 'intended', next_attempt_at = now()");
    await run("update orders set state = 'paying', snapshot = jsonb_set(snapshot, '{kind}', '\"paying\"')");
    await swap.blocks(3);
    expect(swap.paid()).toEqual([FULL, FULL]);
    await expectNoticed(/was paid 1491500000, which nothing promised/);
  });

  it("law 7: a deposit is one row, and credited on the canonical chain alone", async () => {
    await run("alter table deposits drop constraint deposits_network_tx_id_output_index_key");
    await run(`insert into deposits (network, tx_id, output_index, address, slug, amount, order_id, block_height, detected_at, credited_at)
      select network, tx_id, output_index, address, slug, amount, order_id, block_height, detected_at, credited_at from deposits`);
    await expectNoticed(/is counted 2 times/);
    await run("update deposits set tx_id = 'nowhere'");
    await expectNoticed(/deposit nowhere was credited without its depth/);
  });

  it("law 8: confirmations are counted on one chain", async () => {
    await run("update chain_tail set parent_hash = 'another' where height = 4");
    await expectNoticed(/block 4 of ETH does not follow/);
  });

  it("law 9: money is whole minor units", async () => {
    await run("alter table payouts alter column amount type numeric");
    await run("update payouts set amount = amount + 0.5");
    await expect(broken()).rejects.toThrow("a whole number was expected");
  });

  it("law 10: every transfer sums to zero", async () => {
    await run("drop trigger ledger_entries_balance on ledger_entries");
    await inTransaction(database, (transaction) =>
      post(transaction, {
        kind: "mistake",
        sourceId: "1",
        at: new Date(),
        entries: [{ account: "treasury", slug: "eth", amount: 5n }],
      }),
    );
    await expectNoticed(/the ledger of eth sums to 5/);
  });

  it("law 10: a balance is the sum of its entries", async () => {
    await run("update ledger_accounts set balance = balance + 1 where name = 'revenue'");
    await expectNoticed(/the balance of revenue usdt-erc20 is not its entries/);
  });

  it("law 11: the hot wallet's balance equals the ledger's", async () => {
    swap.chain.balances.set("usdt-erc20", FULL);
    await openBooks(database, swap.chain, ["usdt-erc20"], systemClock);
    const { switches } = swap.testEngine;
    const reconciler = createReconciler({
      database,
      wallets: new Map([["ETH", swap.chain]]),
      readers: new Map([["ETH", swap.chain]]),
      slugsOf: () => ["usdt-erc20"],
      switches,
      clock: systemClock,
      log: createLog({ level: "silent" }),
    });
    const reconcile = async () => {
      for (let run = 0; run < 3; run += 1) await reconciler.reconcile("ETH");
      return switches.stoppedNow("pay", { slug: "usdt-erc20", networkTitle: "ETH" }, "to");
    };
    swap.chain.balances.set("usdt-erc20", 0n);
    await run("update ledger_accounts set balance = -1000 where name = 'hot' and slug = 'usdt-erc20'");
    expect(await reconcile()).toMatch(/short of usdt-erc20/);
  });

  it("law 12: the terms are those of the creation", async () => {
    await run("update orders set snapshot = jsonb_set(snapshot, '{terms,quoted,amountTo}', '\"1\"')");
    await expectNoticed(/has other terms/);
  });

  it("law 13: one client's unpaid fixed orders are few", async () => {
    const live = async () => {
      const { rows } = await sql<{ most: number }>`
        select coalesce(max(live), 0)::int as most from (select count(*) as live from orders
          where rate_mode = 'FIXED' and state = 'awaiting_deposit' group by client_key) clients`.execute(
        database.kysely,
      );
      return rows[0]?.most;
    };
    const fixed = orderBody({ rateMode: "FIXED", refundAddress: "refund", claimedDepositAmount: "0.01" });
    const create = (key: string) => swap.testEngine.engine.orderService.create(fixed, { key, traceId: "test" });
    for (let made = 0; made < 50; made += 1) await create("one client");
    await expect(create("one client")).rejects.toMatchObject({ httpStatus: 429 });
    expect(await live()).toBe(50);
    await create("another");
    await run("update orders set client_key = 'one client'");
    expect(await live()).toBe(51);
  });

  it("law 14: what is signed is what the order demands", async () => {
    await run("update payouts set to_address = 'thief'");
    await expectNoticed(/is not what order .* owes/);
  });

  it("law 15: a payment costs no more than its customer was charged allows", async () => {
    const { catalogue } = swap.testEngine;
    const { timesCharged, overChargedUsd } = requireInstrument(catalogue, "usdt-erc20").caps;
    // One USDT is charged, and an ether is 3,000 USD.
    const maxUsd = Math.max(Number(timesCharged), 1 + Number(overChargedUsd));
    const dear = () =>
      swap.chain.blocks
        .flatMap(({ transactions }) => transactions.map(({ fee = 0n }) => (Number(fee) / 1e18) * 3_000))
        .filter((usd) => usd > maxUsd);
    swap.chain.marketFee = 10n ** 17n;
    await swap.open();
    swap.pay();
    await swap.blocks(5);
    expect(dear()).toEqual([]);

    const uncapped = [...catalogue.instruments].map(([slug, instrument]) => {
      return [slug, { ...instrument, caps: { ...instrument.caps, timesCharged: 10n ** 9n } }] as const;
    });
    const parts = { database, reader: swap.chain, wallet: swap.chain };
    const careless = await createTestEngine({ ...parts, catalogue: { ...catalogue, instruments: new Map(uncapped) } });
    await timePasses(database);
    await careless.settle();
    swap.chain.mine();
    expect(dear()).toEqual([300]);
  });
});
