-- Orders that a card provider carries out (contract §11). The row is written before the provider is asked, under the id that the order
-- gets: a repetition after a crash finds it.
create table card_orders (
  id bigint generated always as identity primary key,
  -- The order may be in the archive, and is not there before it is opened.
  order_id text not null unique,
  user_id bigint not null references users (id),
  provider text not null,
  direction text not null check (direction in ('buy', 'sell')),
  -- What the provider knows it by, without the number of the attempt.
  merchant_id text not null unique,
  -- Each asks for another transaction: one whose answer was lost is never paid, because nobody was told where.
  attempts integer not null default 0,
  phase text not null check (phase in ('opening', 'open', 'ended', 'abandoned')),
  -- The attempt that the order was opened with.
  opened_attempt integer,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz
);
create index card_orders_due on card_orders (next_attempt_at) where next_attempt_at is not null;
create index card_orders_of_user on card_orders (user_id);

-- Each callback is taken once, by the digest of its bytes.
create table card_callbacks (
  digest bytea primary key,
  card_order_id bigint not null references card_orders (id),
  received_at timestamptz not null default now()
);
create index card_callbacks_of_order on card_callbacks (card_order_id);

-- Who signed in with the provider: digests of tokens of ours.
create table card_tokens (
  digest bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index card_tokens_of_user on card_tokens (user_id);
create index card_tokens_by_age on card_tokens (created_at);
