-- Where an account's programs are told of their orders (contract §13).
create table webhooks (
  id uuid primary key,
  user_id bigint not null references users (id) on delete cascade,
  url text not null,
  -- AES-256-GCM under the key of API keys' secrets, bound to the id.
  secret bytea not null,
  -- Deliveries that failed since the last one that did not: such a receiver gets one at a time.
  failures integer not null default 0,
  created_at timestamptz not null
);
create index webhooks_of_user on webhooks (user_id);

-- Written in the transaction of the order's event, sent later, in order for each order.
create table webhook_deliveries (
  n bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  webhook_id uuid not null references webhooks (id) on delete cascade,
  -- Null for a test. The order may be in the archive.
  order_id text,
  type text not null check (type in ('order.updated', 'test')),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  -- As it was first sent: every other attempt sends the same bytes.
  body text,
  attempts integer not null default 0,
  -- The attempts until it is dead; a redelivery by hand begins anew.
  created_at timestamptz not null default now(),
  retried_since timestamptz not null default now(),
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  last_error text,
  delivered_at timestamptz,
  check ((state = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_of_order on webhook_deliveries (webhook_id, order_id, n) where state = 'pending';
create index webhook_deliveries_log on webhook_deliveries (webhook_id, n desc);
create index webhook_deliveries_over on webhook_deliveries (created_at) where state <> 'pending';
