-- Orders that an account's own programs made for its customers (contract §13). The order itself may be in the archive.
create table partner_orders (
  n bigint generated always as identity primary key,
  order_id text not null unique,
  user_id bigint not null references users (id),
  -- The partner's own name for it.
  external_id text,
  markup_bps integer not null check (markup_bps between 0 and 500),
  created_at timestamptz not null,
  unique (user_id, external_id)
);
-- A partner's list, the newest first: its cursor is `n`, so that new orders move nothing.
create index partner_orders_of_user on partner_orders (user_id, n desc);
