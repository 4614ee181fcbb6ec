import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { freshDatabase } from "../tests/support/database/database.ts";
import { createLog } from "./base/logging/log.ts";
import { openDatabase } from "./db/database.ts";
import { measureExchange } from "./exchange-metrics.ts";

it("the oldest order of each state, the follower's lag, unconfirmed attempts and drift are read from the rows", async () => {
  await using database = await freshDatabase();
  await database.pool.query(`
    insert into chain_tail (network, height, hash, parent_hash) values ('ETH', 10, '0xa', '0x9'), ('ETH', 11, '0xb', '0xa');
    insert into deposits (network, tx_id, output_index, address, slug, amount, detected_at, review_reason)
      values ('ETH', '0x1', 0, 'a', 'eth', 1, now(), 'no_order_has_its_memo');
    insert into payouts (deposit_id, purpose, network, slug, to_address, amount, state, review_reason, created_at)
      values (1, 'refund', 'ETH', 'eth', 'a', 1, 'review', 'destination_reverts', now());
    insert into unknown_payments (network, tx_id, found_at) values ('ETH', '0x2', now());
    insert into kill_switches (action, scope, direction, reason, at, cause) values ('pay', 'ETH', 'both', 'short', now(), 'reconciler');
    insert into users (created_at) values (now());
    insert into withdrawals (user_id, slug, network, address, amount, network_fee, state, review_reason, client_key, created_at)
      select id, 'usdt-trc20', 'TRX', 'T', 2, 1, 'review', 'large_amount', 'k', now() from users;
    insert into verifications (user_id, status, created_at) select id, 'CREATED', now() from users;
    insert into outbox (channel, user_id, recipient, topic, source_key, payload, state, created_at, next_attempt_at)
      select 'mail', id, 'a@b.example', 't', key, '{}', state, now() - age, due from users, (values
        ('1', 'pending', interval '20 minutes', now()), ('2', 'dead', interval '1 hour', null), ('3', 'dead', interval '2 days', null)
      ) as given (key, state, age, due);
    insert into price_snapshots (at, prices, fees) values (now() - interval '90 seconds', '{}', '{}'), (now() - interval '1 hour', '{}', '{}');
    insert into hot_balances (slug, amount, at) values ('eth', 90, now());
    insert into ledger_accounts (name, slug, may_be_negative) values ('hot', 'eth', true);
    update ledger_accounts set balance = -100 where name = 'hot' and slug = 'eth'`);
  for (const [at, state] of ["confirming", "confirming", "completed", "awaiting_deposit"].entries())
    await database.pool.query(
      `insert into orders (id, reference, version, state, snapshot, from_slug, to_slug, rate_mode, client_key, created_at)
       values ($1, $2, 1, $3, '{}', 'eth', 'usdt-erc20', 'FLOATING', 'k', now() - make_interval(mins => $4))`,
      [`${at}`.padStart(22, "A"), `R${at}`, state, 10 - at],
    );
  const networks = new Map([
    ["ETH", { isUp: true, head: { height: 14, ageSeconds: 2.5 } }],
    ["BTC", { isUp: false, head: null }],
  ]);
  const registry = new Registry();
  measureExchange(registry, database, () => networks);
  const text = await registry.metrics();
  expect(text).toMatch(/^order_oldest_seconds\{state="confirming"\} 6\d\d/m);
  expect(text).not.toMatch(/state="(completed|awaiting_deposit)"/);
  expect(text).toMatch(/^# TYPE payments_stuck gauge$/m);
  expect(text).toMatch(/^payments_in_review\{network="ETH",reason="destination_reverts"\} 1$/m);
  expect(text).toMatch(/^deposits_in_review\{network="ETH",reason="no_order_has_its_memo"\} 1$/m);
  expect(text).toMatch(/^unknown_payments\{network="ETH"\} 1$/m);
  expect(text).toMatch(/^follower_lag_blocks\{network="ETH"\} 3$/m);
  expect(text).toMatch(/^database_up 1$/m);
  expect(text).toMatch(/^network_up\{network="ETH"\} 1$/m);
  expect(text).toMatch(/^network_up\{network="BTC"\} 0$/m);
  expect(text).toMatch(/^network_head_height\{network="ETH"\} 14$/m);
  expect(text).toMatch(/^network_head_age_seconds\{network="ETH"\} 2.5$/m);
  expect(text).not.toMatch(/^network_head_\w+\{network="BTC"\}/m);
  expect(text).toMatch(/^stopped\{action="pay",scope="ETH",direction="both",cause="reconciler"\} 1$/m);
  expect(text).toMatch(/^waiting_for_operator\{kind="withdrawal"\} 1$/m);
  expect(text).toMatch(/^waiting_for_operator\{kind="verification"\} 1$/m);
  expect(text).toMatch(/^waiting_for_operator\{kind="proposal"\} 0$/m);
  expect(text).toMatch(/^messages_waiting\{channel="mail"\} 1$/m);
  expect(text).toMatch(/^message_oldest_seconds\{channel="mail"\} 12\d\d/m);
  expect(text).toMatch(/^messages_failed\{channel="mail"\} 1$/m);
  expect(text).toMatch(/^price_age_seconds 9\d/m);
  expect(text).toMatch(/^hot_wallet_drift\{slug="eth"\} -10$/m);
  expect(text).toMatch(/^ledger_imbalance\{slug="eth"\} -100$/m);

  await database.pool.query("delete from orders");
  expect(await registry.metrics()).not.toMatch(/state="confirming"/);
});

it("what needs no row is collected while the database hangs", async () => {
  const real = await freshDatabase();
  onTestFinished(() => real.drop());
  const database = openDatabase(real.url, { max: 2, log: createLog({ level: "silent" }), applicationName: "metrics" });
  onTestFinished(() => database.close());
  const registry = new Registry();
  measureExchange(registry, database, () => new Map([["ETH", { isUp: true, head: null }]]));
  const clients = await Promise.all([database.pool.connect(), database.pool.connect()]);
  const before = performance.now();
  const text = await registry.metrics();
  expect(performance.now() - before).toBeLessThan(4_500);
  for (const client of clients) client.release();
  expect(text).toMatch(/^database_up 0$/m);
  expect(text).toMatch(/^network_up\{network="ETH"\} 1$/m);
  expect(await registry.metrics()).toMatch(/^database_up 1$/m);
});
