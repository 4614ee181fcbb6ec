-- A refund to an address that was not given at creation waits, and whoever got its message can stop it with the token in it. A new token is
-- made for each message that is sent; only its hash is stored.
create table refund_stop_tokens (
  token_hash bytea primary key,
  order_id text not null references orders (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index refund_stop_tokens_of_order on refund_stop_tokens (order_id);

-- Refunds that were stopped, until an operator has decided and a worker has taken the decision.
create table stopped_refunds (
  order_id text primary key references orders (id) on delete cascade,
  network text not null,
  stopped_at timestamptz not null,
  released_at timestamptz,
  -- Another address than the one that was asked for; null: that one.
  to_address text,
  to_memo text
);
