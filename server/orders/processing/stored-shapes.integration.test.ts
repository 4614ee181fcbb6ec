import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { depositsOf, lockOrder } from "./store.ts";
import type { OrderMessage } from "../../notifications/message.ts";
import { sendDueMessages } from "../../notifications/outbox-runner.ts";
import type { Channel, OutboxRow } from "../../notifications/outbox.ts";
import { createPriceSnapshots } from "../../rates/snapshots/price-snapshot.ts";
import { createSwitches } from "../../treasury/balances/switches.ts";
import { migrate } from "../../db/migrate.ts";

const MIGRATIONS = fileURLToPath(new URL("../../db/migrations/", import.meta.url));
const ID = "A".repeat(24);
const AT = "2026-01-02T03:04:05.000Z";

let folder: string;
let database: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wherry-migrations-"));
  database = await freshDatabase({ empty: true });
  await migrateBelow("0014");
});

/** Runs the migrations whose number is smaller. */
async function migrateBelow(number: string): Promise<void> {
  const files = (await readdir(MIGRATIONS)).filter((file) => file < number);
  for (const file of files) await cp(join(MIGRATIONS, file), join(folder, file));
  await migrate(database, { folder });
}

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The terms of an order as migration 0013 and earlier stored them. */
const OLD_TERMS = {
  rateMode: "FIXED",
  give: { slug: "eth", networkTitle: "ETH", decimals: 18 },
  get: { slug: "usdt-erc20", networkTitle: "ETH", decimals: 6 },
  destination: { address: "destination", memo: null },
  refund: { address: "refund", memo: null },
  deposit: { address: "deposit", memo: null },
  claimedGive: "500000000000000000",
  quoted: {
    get: "1491500000",
    price: "2983",
    platformFee: "7500000",
    networkFee: "1000000",
    market: { givePriceUsd: "3000000000000000000000", getPriceUsd: "1000000000000000000" },
  },
  floatingFeeBps: "50",
  spreadBps: "0",
  minGive: "1",
  maxGive: null,
  requiredConfirmations: 12,
  createdAt: AT,
  fixed: { expiresAt: AT, volatilityBps: "100", dustBps: "20" },
};

async function insertOldRows(): Promise<void> {
  const { kysely } = database;
  const snapshot = {
    kind: "awaiting_choice",
    terms: OLD_TERMS,
    deposits: [{ key: "tx:0", amount: "500000000000000000" }],
    offer: null,
    askedAt: AT,
  };
  await sql`insert into orders (id, reference, version, state, snapshot, give_slug, get_slug, rate_mode, client_key, held_reason, created_at)
    values (${ID}, 'AAAA-AAAA', 1, 'awaiting_choice', ${JSON.stringify(snapshot)}, 'eth', 'usdt-erc20', 'FIXED', 'c', 'owner_choice', ${AT})`.execute(
    kysely,
  );
  await sql`insert into order_events (order_id, seq, kind, data, at)
    values (${ID}, 1, 'CREATION_END', ${JSON.stringify({ terms: OLD_TERMS })}, ${AT})`.execute(kysely);
  await sql`insert into deposits (network, tx_id, output_index, address, slug, amount, order_id, detected_at, held_reason)
    values ('ETH', 'tx', 0, 'deposit', 'eth', 5, ${ID}, ${AT}, 'wrong_asset')`.execute(kysely);
  await sql`insert into payouts (order_id, purpose, route, network, slug, to_address, amount, state, held_reason, created_at)
    values (${ID}, 'payout', 'house', 'ETH', 'usdt-erc20', 'destination', 5, 'held', 'not_owed', ${AT})`.execute(
    kysely,
  );
  await sql`insert into partner_exchanges (order_id, n, client_id, partner, from_slug, to_slug, amount, expected, to_address, state, doubts, created_at)
    values (${ID}, 1, 'c-1', 'changenow', 'eth', 'usdt-erc20', 5, 5, 'destination', 'held', 2, ${AT})`.execute(kysely);
  await sql`insert into ledger_accounts (name, slug, may_be_negative, balance) values ('house', 'eth', true, -7)`.execute(
    kysely,
  );
  await sql`insert into ledger_transfers (kind, source_id, at) values ('partner_gift', '1', ${AT})`.execute(kysely);
  await sql`insert into kill_switches (action, scope, direction, reason, at) values ('pay', 'eth', 'give', 'drift', ${AT})`.execute(
    kysely,
  );
  await sql`insert into treasury_stock (slug, amount, at) values ('eth', 9, ${AT})`.execute(kysely);
  await sql`insert into rate_boards (at, prices, fees, partners)
    values (${AT}, '{"eth":"3"}', '{"ETH:eth":"1"}', '{"changenow eth usdt-erc20":[["1","2"]]}')`.execute(kysely);
}

it("rows that older versions stored are read by this one", async () => {
  await insertOldRows();
  await migrate(database);

  const order = await database.kysely.transaction().execute((transaction) => lockOrder(transaction, ID));
  expect(order).toMatchObject({ wait: "customer_choice" });
  expect(order?.state).toMatchObject({
    kind: "awaiting_choice",
    offeredAt: new Date(AT),
    terms: {
      from: { slug: "eth" },
      to: { slug: "usdt-erc20" },
      claimedDepositAmount: 500_000_000_000_000_000n,
      quoted: { amountTo: 1_491_500_000n, market: { fromPriceUsd: 3_000n * 10n ** 18n, toPriceUsd: 10n ** 18n } },
      minAmount: 1n,
      maxAmount: null,
    },
  });
  expect(await depositsOf(database.kysely, ID)).toMatchObject([{ reviewReason: "wrong_asset" }]);
  expect(await createSwitches(database).list()).toMatchObject([{ direction: "from" }]);
  const prices = await createPriceSnapshots(database).at(new Date(AT));
  expect(prices?.partners?.get("changenow eth usdt-erc20")).toEqual([{ amountFrom: 1n, amountTo: 2n }]);
});

it("the creation event of an older order equals its migrated terms, and stays append-only", async () => {
  await insertOldRows();
  await migrate(database);
  const { rows } = await sql<{ same: boolean }>`
    select e.data->'terms' = o.snapshot->'terms' as same from order_events e join orders o on o.id = e.order_id`.execute(
    database.kysely,
  );
  expect(rows).toEqual([{ same: true }]);
  await expect(sql`update order_events set kind = 'other'`.execute(database.kysely)).rejects.toThrow("append-only");
  await expect(sql`update ledger_transfers set kind = 'other'`.execute(database.kysely)).rejects.toThrow("append-only");
});

it("stored states and routes have their present names", async () => {
  await insertOldRows();
  await migrate(database);
  const one = async (text: string) => (await database.pool.query(text)).rows[0];
  expect(await one("select route, state, review_reason from payouts")).toEqual({
    route: "treasury",
    state: "review",
    review_reason: "not_authorised",
  });
  expect(await one("select state, unknown_openings from partner_exchanges")).toEqual({
    state: "review",
    unknown_openings: 2,
  });
  expect(await one("select name from ledger_accounts")).toEqual({ name: "treasury" });
  expect(await one("select kind from ledger_transfers")).toEqual({ kind: "partner_surplus" });
  expect(await one("select slug from hot_balances")).toEqual({ slug: "eth" });
});

it("messages that an older version left in the outbox are sent by this one, with their count of unknown results", async () => {
  await insertOldRows();
  await migrateBelow("0016");
  const payload = {
    give: { amount: "0.5", slug: "eth" },
    get: { amount: "1491.5", slug: "usdt-erc20" },
    destinationAddress: "destination",
    expiresAt: null,
    isDepositAwaited: true,
  };
  const received = { received: { amount: "0.5", slug: "eth" }, destinationAddress: "destination" };
  for (const [topic, old] of [
    ["created", payload],
    ["choice_needed", received],
  ] as const)
    await sql`insert into outbox (channel, order_id, topic, source_key, payload, doubts)
      values ('mail', ${ID}, ${topic}, 'key', ${JSON.stringify(old)}, 1)`.execute(database.kysely);
  await sql`update orders set user_email = 'ann@example.com'`.execute(database.kysely);
  await migrate(database);

  const sent: [OrderMessage, OutboxRow][] = [];
  const mail: Channel = async (message, row) => {
    sent.push([message, row]);
    return { kind: "refused", isFinal: false, reason: "451" };
  };
  await sendDueMessages(
    { database, channels: new Map([["mail", mail]]), log: database.log },
    new AbortController().signal,
  );
  const messages = sent.map(([message]) => message).sort((one, other) => (one.topic < other.topic ? -1 : 1));
  expect(messages).toMatchObject([
    { topic: "choice_needed", received: { amount: "0.5", slug: "eth" } },
    { topic: "created", from: { amount: "0.5", slug: "eth" }, to: { amount: "1491.5", slug: "usdt-erc20" } },
  ]);
  const { rows } = await sql`select unknown_results, payload ? 'give' as "isOld" from outbox`.execute(database.kysely);
  expect(rows).toEqual([
    { unknown_results: 1, isOld: false },
    { unknown_results: 1, isOld: false },
  ]);
  await expect(sql`update outbox set unknown_results = -1`.execute(database.kysely)).rejects.toThrow(
    "outbox_unknown_results_check",
  );
});
