import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody } from "../../../tests/support/scenarios/test-engine.ts";
import { bookMined } from "../payouts/ledger.ts";
import { depositEntries } from "./entries.ts";
import { lockAccounts, post } from "./ledger.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

/** One transaction of two transfers, as an order that exchanges `first` for `second` has. */
const exchange = (id: string, first: string, second: string, between: () => Promise<unknown> = async () => null) =>
  database.kysely.transaction().execute(async (transaction) => {
    await lockAccounts(transaction, [first, second]);
    const at = new Date();
    await post(transaction, { kind: "deposit", sourceId: `${id} in`, at, entries: depositEntries(first, 1n) });
    await between();
    await post(transaction, { kind: "deposit", sourceId: `${id} out`, at, entries: depositEntries(second, 1n) });
  });

const someoneWaits = () =>
  eventually("another transaction waits for a lock", async () => {
    const { rows } = await database.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0 ? true : null;
  });

it.each([
  ["accounts that exist", true],
  ["accounts that nobody has opened", false],
])("two exchanges of opposite directions never wait in a circle, over %s", async (_, exist) => {
  if (exist) await exchange("earlier", "eth", "usdt-erc20");
  let other: Promise<void> = Promise.resolve();
  await exchange("there", "eth", "usdt-erc20", async () => {
    other = exchange("back", "usdt-erc20", "eth");
    await someoneWaits();
  });
  await other;
  const { count } = await database.kysely
    .selectFrom("ledger_transfers")
    .select((build) => build.fn.countAll<bigint>().as("count"))
    .executeTakeFirstOrThrow();
  expect(count).toBe(exist ? 6n : 4n);
});

it("a payment that is booked while somebody handles its order leaves the accounts to them", async () => {
  const chain = new FakeChain();
  const { engine } = await createTestEngine({ database, reader: chain, wallet: chain });
  const { orderId } = await engine.orderService.create(orderBody(), { key: "198.51.100.1", traceId: "t" });
  await exchange("earlier", "eth", "usdt-erc20");
  const payout = {
    id: 1n,
    purpose: "payout",
    slug: "eth",
    amount: 1n,
    orderId,
    sweepId: null,
    exchangeId: null,
    withdrawalId: null,
  };
  const parts = { post, clock: { now: () => new Date() }, notifyWithdrawal: async () => undefined };
  const handler = await database.pool.connect();
  try {
    await handler.query("begin");
    await handler.query("select from orders where id = $1 for update", [orderId]);
    const booked = database.kysely
      .transaction()
      .execute((transaction) => bookMined(parts, transaction, payout as never));
    await someoneWaits();
    await handler.query("select from ledger_accounts order by id for no key update nowait");
    await handler.query("commit");
    await booked;
  } finally {
    handler.release(true);
  }
});
