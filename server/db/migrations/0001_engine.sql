-- Orders: `snapshot` is what evolve() makes of the events; `next_attempt_at` is when the sweeper looks again, null when nothing is due.
create table orders (
  id text primary key check (id ~ '^[A-Za-z0-9]{22,64}$'),
  reference text not null unique,
  version integer not null,
  state text not null,
  snapshot jsonb not null,
  give_slug text not null,
  get_slug text not null,
  rate_mode text not null check (rate_mode in ('FIXED', 'FLOATING')),
  client_key text not null,
  user_email text,
  email_set_at timestamptz,
  referrer_id text,
  utm_data jsonb,
  next_attempt_at timestamptz,
  held_reason text,
  created_at timestamptz not null,
  completed_at timestamptz
);
create index orders_due on orders (next_attempt_at) where next_attempt_at is not null;
create index orders_latest on orders (completed_at desc) where completed_at is not null;
create index orders_live_fixed on orders (client_key, give_slug, get_slug) where rate_mode = 'FIXED' and state = 'awaiting_deposit';
create index orders_created on orders (created_at);

create table order_events (
  order_id text not null references orders (id),
  seq integer not null check (seq > 0),
  kind text not null,
  data jsonb not null,
  at timestamptz not null,
  primary key (order_id, seq)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger order_events_append_only before update or delete on order_events for each statement execute function refuse_change();

-- The address that an order is paid to; an index is never used twice.
create sequence deposit_address_index start 1;
create table deposit_addresses (
  network text not null,
  address text not null,
  derivation_index bigint not null,
  memo text,
  order_id text not null unique references orders (id),
  primary key (network, address)
);

-- What the chain shows: keyed by what the chain calls it. `block_*` is the observation and may move; `credited_at` is set once.
create table deposits (
  id bigint generated always as identity primary key,
  network text not null,
  tx_id text not null,
  output_index integer not null,
  address text not null,
  slug text not null,
  amount numeric(78,0) not null check (amount > 0),
  order_id text references orders (id),
  block_height integer,
  block_hash text,
  detected_at timestamptz not null,
  credited_at timestamptz,
  held_reason text,
  unique (network, tx_id, output_index)
);
create index deposits_of_order on deposits (order_id);
create index deposits_open on deposits (network) where credited_at is null and held_reason is null;
create index deposits_of_block on deposits (network, block_height);

-- One outgoing payment for an order, payout or refund, never both; a stray deposit is paid back by a row of its own.
create table payouts (
  id bigint generated always as identity primary key,
  order_id text unique references orders (id),
  deposit_id bigint unique references deposits (id),
  purpose text not null check (purpose in ('payout', 'refund')),
  network text not null,
  slug text not null,
  to_address text not null,
  to_memo text,
  amount numeric(78,0) not null check (amount > 0),
  state text not null check (state in ('intended', 'broadcast', 'mined', 'final', 'held')),
  held_reason text,
  mined_height integer,
  mined_hash text,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  check ((order_id is null) <> (deposit_id is null))
);
create index payouts_open on payouts (network) where state in ('broadcast', 'mined');
create index payouts_due on payouts (next_attempt_at) where next_attempt_at is not null;

-- What makes an attempt provably dead (a nonce, an outpoint): reserved by the payout, shared by its attempts.
create table payout_handles (
  id bigint generated always as identity primary key,
  network text not null,
  key text not null,
  payout_id bigint not null references payouts (id),
  data jsonb not null,
  released_at timestamptz
);
create unique index payout_handles_live on payout_handles (network, key) where released_at is null;
create index payout_handles_of_payout on payout_handles (payout_id);

-- Signed bytes, stored before anything leaves; a retry repeats them.
create table payout_attempts (
  payout_id bigint not null references payouts (id),
  n integer not null check (n > 0),
  network text not null,
  tx_id text not null,
  raw text not null,
  status text not null check (status in ('prepared', 'broadcast', 'mined', 'dead')),
  prepared_at timestamptz not null,
  broadcast_at timestamptz,
  primary key (payout_id, n),
  unique (network, tx_id)
);
create unique index payout_attempts_alive on payout_attempts (payout_id) where status <> 'dead';

-- The canonical tail that a network's follower keeps.
create table chain_tail (
  network text not null,
  height integer not null,
  hash text not null,
  parent_hash text not null,
  primary key (network, height)
);

-- Double entry: accounts of one asset, append-only entries, sum zero per transfer and asset.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  name text not null,
  slug text not null,
  may_be_negative boolean not null,
  balance numeric(78,0) not null default 0,
  unique (name, slug),
  check (may_be_negative or balance >= 0)
);
create table ledger_transfers (
  id bigint generated always as identity primary key,
  kind text not null,
  source_id text not null,
  at timestamptz not null,
  unique (kind, source_id)
);
create table ledger_entries (
  transfer_id bigint not null references ledger_transfers (id),
  account_id bigint not null references ledger_accounts (id),
  amount numeric(78,0) not null check (amount <> 0),
  primary key (transfer_id, account_id)
);
create index ledger_entries_of_account on ledger_entries (account_id);
create trigger ledger_entries_append_only before update or delete on ledger_entries for each statement execute function refuse_change();
create trigger ledger_transfers_append_only before update or delete on ledger_transfers for each statement execute function refuse_change();

create function ledger_apply_entry() returns trigger language plpgsql as $$
begin
  update ledger_accounts set balance = balance + new.amount where id = new.account_id;
  return null;
end $$;
create trigger ledger_entries_apply after insert on ledger_entries for each row execute function ledger_apply_entry();

create function ledger_transfer_balances() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from ledger_entries e join ledger_accounts a on a.id = e.account_id
    where e.transfer_id = new.transfer_id group by a.slug having sum(e.amount) <> 0
  ) then
    raise exception 'transfer % does not sum to zero', new.transfer_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_transfer_balances();

-- Everything a price is made of, at one moment: a fixed quote is found again by its board.
create table rate_boards (
  at timestamptz primary key,
  prices jsonb not null,
  fees jsonb not null
);

create table market_overrides (
  slug text primary key,
  price text not null,
  at timestamptz not null
);

create table idempotency_keys (
  route text not null,
  key text not null,
  request_hash text not null,
  status integer,
  answer jsonb,
  created_at timestamptz not null,
  primary key (route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table settings (
  key text primary key,
  value jsonb not null
);
