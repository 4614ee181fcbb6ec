import pg from "pg";

/** What a finished order and an account leave behind, in an order that needs no look-ahead. */
const TABLES = [
  "users",
  "referrer_ids",
  "ledger_accounts",
  "wallet_credits",
  "withdrawals",
  "orders",
  "order_events",
  "partner_exchanges",
  "card_orders",
  "card_callbacks",
  "card_tokens",
  "deposit_addresses",
  "sweeps",
  "deposits",
  "payouts",
  "payout_handles",
  "payout_attempts",
  "payout_cancellations",
  "payout_children",
  "ledger_transfers",
  "ledger_entries",
  "outbox",
  "operator_actions",
  "idempotency_keys",
  "sessions",
  "session_tokens",
  "bot_updates",
  "credentials",
  "user_clients",
  "referral_clicks",
  "monthly_payouts",
  "mailed_codes",
  "verifications",
  "api_keys",
  "partner_orders",
  "webhooks",
  "webhook_deliveries",
  "refund_stop_tokens",
  "adjustments",
] as const;

/** Above every id of the templates. */
const STRIDE = 1_000;
/** Rows that are pruned by their age are copied with the age that they have; orders are spread over the years before. */
const PRUNED = new Set<string>([
  "idempotency_keys",
  "sessions",
  "session_tokens",
  "bot_updates",
  "card_tokens",
  "mailed_codes",
  "webhook_deliveries",
  "refund_stop_tokens",
]);
const IDS = new Set([
  "id",
  "deposit_id",
  "payout_id",
  "sweep_id",
  "exchange_id",
  "card_order_id",
  "transfer_id",
  "subscription_id",
  "update_id",
  "user_id",
  "referrer_user_id",
  "telegram_id",
  "withdrawal_id",
  "partner_orders.n",
  "webhook_deliveries.n",
]);
const ORDER_IDS = new Set(["orders.id", "order_id"]);
const NAMES = new Set([
  "reference",
  "tx_id",
  "pays_for",
  "address",
  "key",
  "client_id",
  "merchant_id",
  "partner_id",
  "source_id",
  "refund_address",
  "payout_tx_id",
  "email",
  "client_key",
  "call_hash",
  "public_key",
  "external_id",
]);

type Column = { table: string; name: string; type: string };

/**
 * Copies everything in a database that holds finished orders only, so that it holds about `count` of them. `url` is of a superuser,
 * who may leave out triggers and foreign keys: they would be checked for each of millions of rows that are right by construction.
 */
export async function copyFinishedOrders(url: string, count: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    const { rows: templates } = await client.query<{ count: number }>("select count(*)::int as count from orders");
    const copies = Math.floor(count / (templates[0]?.count ?? 1));
    const { rows: columns } = await client.query<Column>(`
      select table_name as table, column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' order by table_name, ordinal_position`);
    for (const table of TABLES) await client.query(copyOf(table, columns), [copies]);
    await client.query(`
      update ledger_accounts a set balance = s.sum
      from (select account_id, sum(amount) as sum from ledger_entries group by account_id) s where s.account_id = a.id`);
    const { rows: counted } = await client.query<Column>(
      `
      select table_name as table, column_name as name from information_schema.columns
      where table_schema = 'public' and is_identity = 'YES' and table_name = any($1)`,
      [TABLES],
    );
    for (const { table, name } of counted)
      await client.query(
        `select setval(pg_get_serial_sequence('${table}', '${name}'), (select coalesce(max(${name}), 0) + 1 from ${table}))`,
      );
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

function copyOf(table: string, columns: readonly Column[]): string {
  const own = columns.filter((column) => column.table === table);
  const names = own.map(({ name }) => name).join(", ");
  const only = ONLY[table] ?? "";
  return `insert into ${table} (${names}) overriding system value
    select ${own.map(valueOf).join(", ")} from ${table} t cross join generate_series(1, $1::int) i ${only}`;
}

/** The copied rows, where not all are: there is one of each account that is no wallet. */
const ONLY: Readonly<Record<string, string>> = {
  ledger_accounts: "where user_id is not null",
  ledger_transfers: "where kind <> 'opening'",
  ledger_entries: "where transfer_id in (select id from ledger_transfers where kind <> 'opening' and id < 1000)",
};

function valueOf({ table, name, type }: Column): string {
  const column = `t.${name}`;
  if (ORDER_IDS.has(name) || ORDER_IDS.has(`${table}.${name}`)) return `lpad(i::text, 10, '0') || right(${column}, 12)`;
  // The same for a session and for its tokens.
  if (type === "uuid") return `md5(${column}::text || i)::uuid`;
  if (table === "ledger_accounts" && name === "name") return `'wallet:' || t.user_id + i * ${STRIDE}`;
  if (name === "account_id")
    return `case when t.account_id in (select id from ledger_accounts where user_id is not null) then t.account_id + i * ${STRIDE} else t.account_id end`;
  if (name === "referrer_id") return `lpad(i::text, 8, '0')`;
  if (IDS.has(name) || IDS.has(`${table}.${name}`)) return `${column} + i * ${STRIDE}`;
  if (NAMES.has(name)) return `${column} || '-' || i`;
  if (name === "token_hash" || name === "digest") return `sha256(${column} || i::text::bytea)`;
  if (name === "derivation_index") return `${column} + i`;
  // Looked at some days ago, and not due yet.
  if (name === "next_look_at") return "now() + interval '1 day'";
  // Far below the tail, as what finished long ago is.
  if (name.endsWith("_height")) return `${column} - 100000 - i % 1000`;
  if (type.startsWith("timestamp"))
    return PRUNED.has(table) ? column : `${column} - make_interval(days => 2, mins => i)`;
  return column;
}
