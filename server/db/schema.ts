import type { ColumnType, Generated, JSONColumnType } from "kysely";

type Json = JSONColumnType<Record<string, unknown>>;
type Time = ColumnType<Date, Date, Date>;
type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** Rows as the database holds them; money is bigint minor units, never a number. */
export type Schema = {
  orders: {
    id: string;
    reference: string;
    version: number;
    state: string;
    snapshot: Json;
    give_slug: string;
    get_slug: string;
    rate_mode: "FIXED" | "FLOATING";
    client_key: string;
    locale: Generated<"en" | "ru">;
    user_email: string | null;
    email_set_at: NullableTime;
    referrer_id: string | null;
    utm_data: JSONColumnType<Record<string, unknown>> | null;
    next_attempt_at: NullableTime;
    held_reason: string | null;
    refund_fee: bigint | null;
    refund_fee_at: NullableTime;
    created_at: Time;
    completed_at: NullableTime;
  };
  order_events: { order_id: string; seq: number; kind: string; data: Json; at: Time };
  deposit_addresses: {
    network: string;
    address: string;
    derivation_index: bigint;
    memo: string | null;
    order_id: string;
  };
  deposits: {
    id: Generated<bigint>;
    network: string;
    tx_id: string;
    output_index: number;
    address: string;
    slug: string;
    amount: bigint;
    order_id: string | null;
    block_height: number | null;
    block_hash: string | null;
    detected_at: Time;
    credited_at: NullableTime;
    held_reason: string | null;
    returned_at: NullableTime;
    sweep_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
  };
  sweeps: {
    id: Generated<bigint>;
    network: string;
    address: string;
    derivation_index: bigint;
    slug: string;
    amount: bigint;
    state: "planned" | "moving" | "done";
    next_attempt_at: NullableTime;
    created_at: Time;
  };
  payouts: {
    id: Generated<bigint>;
    order_id: string | null;
    deposit_id: bigint | null;
    sweep_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    purpose: "payout" | "refund" | "sweep" | "gas";
    network: string;
    slug: string;
    to_address: string;
    to_memo: string | null;
    amount: bigint;
    state: "intended" | "broadcast" | "mined" | "final" | "held";
    held_reason: string | null;
    mined_height: number | null;
    mined_hash: string | null;
    next_attempt_at: NullableTime;
    created_at: Time;
  };
  payout_handles: {
    id: Generated<bigint>;
    network: string;
    key: string;
    payout_id: bigint;
    data: Json;
    released_at: NullableTime;
  };
  payout_attempts: {
    payout_id: bigint;
    n: number;
    network: string;
    tx_id: string;
    raw: string;
    status: "prepared" | "broadcast" | "mined" | "dead";
    prepared_at: Time;
    broadcast_at: NullableTime;
  };
  chain_tail: { network: string; height: number; hash: string; parent_hash: string };
  ledger_accounts: {
    id: Generated<bigint>;
    name: string;
    slug: string;
    may_be_negative: boolean;
    balance: Generated<bigint>;
  };
  ledger_transfers: { id: Generated<bigint>; kind: string; source_id: string; at: Time };
  ledger_entries: { transfer_id: bigint; account_id: bigint; amount: bigint };
  rate_boards: {
    at: Time;
    prices: JSONColumnType<Record<string, string>>;
    fees: JSONColumnType<Record<string, string>>;
  };
  market_overrides: { slug: string; price: string; at: Time };
  idempotency_keys: {
    route: string;
    key: string;
    request_hash: string;
    status: number | null;
    answer: JSONColumnType<Record<string, unknown>> | null;
    created_at: Time;
  };
  treasury_stock: { slug: string; amount: bigint; at: Time };
  kill_switches: {
    action: "quote" | "accept" | "pay";
    scope: string;
    direction: "give" | "get" | "both";
    reason: string;
    at: Time;
  };
  settings: { key: string; value: JSONColumnType<Record<string, unknown>> };
  outbox: {
    id: Generated<bigint>;
    channel: "mail";
    order_id: string;
    topic: string;
    source_key: string;
    payload: Json;
    state: Generated<"pending" | "sent" | "dead">;
    attempts: Generated<number>;
    doubts: Generated<number>;
    last_failure: string | null;
    next_attempt_at: ColumnType<Date | null, Date | undefined, Date | null>;
    created_at: ColumnType<Date, Date | undefined, Date>;
    sent_at: NullableTime;
  };
  sandbox_mails: {
    id: Generated<bigint>;
    message_id: string;
    order_id: string;
    recipient: string;
    subject: string;
    text: string;
    html: string;
    locale: string;
    at: ColumnType<Date, Date | undefined, Date>;
  };
};
