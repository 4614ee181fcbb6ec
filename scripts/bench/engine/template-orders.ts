import { sql } from "kysely";
import { createIdempotencyKeys } from "../../../server/http/idempotency-keys.ts";
import { createSeenUpdates } from "../../../server/notifications/index.ts";
import { recordAction } from "../../../server/admin/audit.ts";
import { creditEntries } from "../../../server/treasury/ledger/entries.ts";
import { post } from "../../../server/treasury/ledger/ledger.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { orderBody } from "../../../tests/support/scenarios/test-engine.ts";
import { DEPOSIT, type SteadyEngine } from "./steady-engine.ts";

const client = { key: "bench", traceId: "bench" };
const PRICE = 3000n * 10n ** 18n;
/** Longer than an unpaid order is kept. */
const TWO_DAYS_MS = 2 * 86_400_000;
const TOKEN = {
  instrumentFrom: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
  instrumentTo: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
  claimedDepositAmount: "1500",
} as const;

/** Finishes one order of each kind, with all that it leaves behind: everything else in a database of the benchmark is a copy of these. */
export async function finishTemplates(steady: SteadyEngine): Promise<void> {
  const { engine, chain, mine, database, clock, rates } = steady;
  const { orderService } = engine;
  const coins = await orderService.create(orderBody({ refundAddress: "refund" }), client);
  await orderService.setEmail(coins.orderId, "customer@example.com");
  chain.deposit(coins.depositAddress, "eth", DEPOSIT);
  const tokens = await orderService.create(orderBody(TOKEN), client);
  chain.deposit(tokens.depositAddress, "usdt-erc20", 1_500_000_000n);
  const refunded = await orderService.create(orderBody({ rateMode: "FIXED", refundAddress: "refund" }), client);
  chain.deposit(refunded.depositAddress, "eth", DEPOSIT);
  await mine(1);
  // The market leaves the fixed rate, and the customer wants the coins back.
  rates.prices.set("eth", (PRICE * 5n) / 6n);
  await mine(3);
  const quoted = await orderService.refundInfo(refunded.orderId);
  await orderService.requestRefund({
    orderId: refunded.orderId,
    destinationAddress: "destination",
    refundAddress: "refund",
    refundAmount: quoted.refundAmountWithoutNetworkFee,
    claimedNetworkFee: quoted.networkFee,
  });
  rates.prices.set("eth", PRICE);
  await mine(5);
  // Later than its order: it is paid back by itself.
  chain.deposit(coins.depositAddress, "eth", DEPOSIT);
  await mine(8);
  await sweepAll(steady);
  await orderService.create(orderBody({ rateMode: "FIXED", refundAddress: "refund" }), client);
  clock.skipMs = TWO_DAYS_MS;
  await engine.expireOrders();
  clock.skipMs = 0;
  await sentMessages(steady);
  await partnerRows(steady, coins.orderId);
  await earningRows(steady, coins.orderId);
  await cardRows(steady, coins.orderId);
  await partnerApiRows(steady, coins.orderId);
  await accountRows(steady);
  await otherRows(steady);
  const { rows } = await sql<{ state: string }>`
    select distinct state from orders where state not in ('completed', 'refunded', 'expired')
    union all select concat_ws(' ', purpose, state, review_reason, last_error) from payouts where state <> 'final'
    union all select 'sweep ' || state from sweeps where state = 'planned'`.execute(database.kysely);
  if (rows.length > 0) throw new Error(`not finished: ${rows.map(({ state }) => state).join(", ")}`);
}

/** Moves everything from deposit addresses, tokens after the coins for their gas. */
export async function sweepAll({ engine, mine, database }: SteadyEngine): Promise<void> {
  await engine.planSweeps();
  for (let round = 0; round < 14; round += 1) {
    for (const table of ["sweeps", "payouts"] as const)
      await database.kysely
        .updateTable(table)
        .set({ next_attempt_at: new Date(0) })
        .where("next_attempt_at", "is not", null)
        .execute();
    while (await engine.runSweeps("ETH"));
    await mine(1);
  }
}

async function sentMessages({ database }: SteadyEngine): Promise<void> {
  await sql`update outbox set state = 'sent', sent_at = now(), next_attempt_at = null`.execute(database.kysely);
}

/** What an order leaves that a partner has filled: its own payout is final, and so is what the partner was paid. */
async function partnerRows({ database }: SteadyEngine, orderId: string): Promise<void> {
  await sql`
    with made as (
      insert into partner_exchanges (order_id, n, client_id, partner, from_slug, to_slug, amount, expected, to_address, refund_address,
        state, openings, partner_id, deposit_address, payout_tx_id, delivered, created_at, opened_at)
      values (${orderId}, 1, 'client', 'changenow', 'eth', 'usdt-erc20', 1, 1, 'destination', 'partner-refund',
        'finished', 1, 'exchange', 'partner-deposit', 'partner-payout', 1, now(), now())
      returning id
    ), addressed as (
      insert into deposit_addresses (network, address, derivation_index, exchange_id) select 'ETH', 'partner-refund', 1000, id from made
    )
    insert into payouts (exchange_id, purpose, network, slug, to_address, amount, state, mined_height, mined_hash, created_at)
    select id, 'funding', 'ETH', 'eth', 'partner-deposit', 1, 'final', 5, 'funding', now() from made`.execute(
    database.kysely,
  );
}

/** What an order leaves that a card provider has carried out. */
async function cardRows({ database }: SteadyEngine, orderId: string): Promise<void> {
  await sql`
    with made as (
      insert into card_orders (order_id, user_id, provider, direction, merchant_id, attempts, phase, opened_attempt)
      select ${orderId}, id, 'mercuryo', 'buy', md5('card'), 1, 'ended', 1 from users limit 1 returning id, user_id
    ), called as (
      insert into card_callbacks (digest, card_order_id) select sha256('callback'), id from made
    )
    insert into card_tokens (digest, user_id) select sha256('token'), user_id from made`.execute(database.kysely);
}

/** An account that has earned on an order and withdrawn some of it; another one has registered by its link. */
async function earningRows({ database, clock }: SteadyEngine, orderId: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const insertUser = (email: string, referrer: bigint | null) =>
      transaction
        .insertInto("users")
        .values({ email, referrer_user_id: referrer })
        .returning("id")
        .executeTakeFirstOrThrow();
    const { id } = await insertUser("referrer@example.com", null);
    await insertUser("referred@example.com", id);
    const at = clock.now();
    await post(transaction, { kind: "credit", sourceId: "template", at, entries: creditEntries("eth", 5n, id) });
    await sql`
      insert into wallet_credits (user_id, source, slug, amount, state, order_id, created_at)
      values (${id}, 'AFFILIATE', 'eth', 5, 'completed', ${orderId}, ${at})`.execute(transaction);
    await sql`insert into referrer_ids (referrer_id, user_id, created_at) values ('ABCDEFGH', ${id}, ${at})`.execute(
      transaction,
    );
    await sql`
      with made as (
        insert into withdrawals (user_id, slug, network, address, amount, network_fee, state, client_key, call_hash, created_at, ended_at)
        values (${id}, 'eth', 'ETH', 'home', 3, 1, 'settled', 'client', 'call', ${at}, ${at}) returning id
      )
      insert into payouts (withdrawal_id, purpose, network, slug, to_address, amount, state, mined_height, mined_hash, created_at)
      select id, 'withdrawal', 'ETH', 'eth', 'home', 2, 'final', 5, 'home', ${at} from made`.execute(transaction);
  });
}

/** What an order leaves that a program of the account has made and was notified of. */
async function partnerApiRows({ database }: SteadyEngine, orderId: string): Promise<void> {
  await sql`
    with partner as (select id from users where email = 'referrer@example.com'), key as (
      insert into api_keys (id, user_id, public_key, secret, name, white_list_ip, created_at)
      select gen_random_uuid(), id, 'wk_template', 'secret', 'shop', '', now() from partner
    ), made as (
      insert into partner_orders (order_id, user_id, external_id, markup_bps, created_at) select ${orderId}, id, 'ours', 50, now() from partner
    ), receiver as (
      insert into webhooks (id, user_id, url, secret, created_at)
      select gen_random_uuid(), id, 'https://shop.example/told', 'secret', now() from partner returning id
    )
    insert into webhook_deliveries (webhook_id, order_id, type, state, body, attempts, delivered_at)
    select id, ${orderId}, 'order.updated', 'delivered', '{}', 1, now() from receiver`.execute(database.kysely);
}

/** What else an account leaves behind, and a correction of the books. */
async function accountRows({ database }: SteadyEngine): Promise<void> {
  await sql`
    with account as (select id from users where email = 'referrer@example.com'), known as (
      insert into credentials (user_id, password_hash, changed_at) select id, 'hash', now() from account
    ), seen as (
      insert into user_clients (user_id, client_hash, seen_at) select id, 'client', now() from account
    ), clicked as (
      insert into referral_clicks (user_id, day, clicks) select id, current_date, 1 from account
    ), monthly as (
      insert into monthly_payouts (user_id, address, set_at, month, outcome)
      select id, 'home', now(), to_char(now() - interval '1 month', 'YYYY-MM'), 'paid' from account
    ), mailed as (
      insert into mailed_codes (user_id, purpose, code_hash, email, tries_left)
      select id, 'password_reset', 'hash', 'referrer@example.com', 5 from account
    ), checked as (
      insert into verifications (user_id, status, created_at, decided_at, documents_deleted_at)
      select id, 'PASS', now(), now(), now() from account
    )
    insert into adjustments (network, slug, account, amount, reason, proposed_by, confirmed_by, confirmed_at)
    values ('ETH', 'eth', 'hot', 1, 'found', 'ann', 'bob', now())`.execute(database.kysely);
}

async function otherRows({ database }: SteadyEngine): Promise<void> {
  const keys = createIdempotencyKeys(database);
  const attempt = { route: "create", key: "a-key", hash: "hash", runner: "runner" };
  await keys.lease(attempt);
  await keys.finish(attempt, 200, { orderId: "order" });
  await createSeenUpdates(database).markSeen(1);
  await sql`
    with signed_in as (insert into users (telegram_id) values (1) returning id), opened as (
      insert into sessions (id, user_id, kind, created_at, last_used_at, authenticated_at, expires_at)
      select gen_random_uuid(), id, 'telegram', now(), now(), now(), now() + interval '1 day' from signed_in returning id
    )
    insert into session_tokens (token_hash, session_id, kind, expires_at)
    select 'token', id, 'access', now() + interval '1 day' from opened`.execute(database.kysely);
  const action = { action: "payout retry", subject: "payout 1", before: {}, after: {} };
  await inTransaction(database, (transaction) => recordAction(transaction, { name: "ann", reason: "why" }, action));
}
