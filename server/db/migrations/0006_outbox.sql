-- What a customer is told, written by the transaction that decides it. One thing is told once: the unique key.
create table outbox (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('mail')),
  order_id text not null references orders (id),
  topic text not null,
  source_key text not null,
  payload jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'dead')),
  attempts integer not null default 0,
  -- Sendings whose outcome nobody knows: one is added before each sending and taken back by its answer.
  doubts integer not null default 0 check (doubts >= 0),
  last_failure text,
  next_attempt_at timestamptz default now(),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (channel, order_id, topic, source_key),
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'sent') = (sent_at is not null))
);
create index outbox_due on outbox (next_attempt_at) where state = 'pending';

-- The language that the customer ordered in.
alter table orders add column locale text not null default 'en' check (locale in ('en', 'ru'));

-- What the sandbox shows as mailed.
create table sandbox_mails (
  id bigint generated always as identity primary key,
  message_id text not null unique,
  order_id text not null references orders (id),
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  locale text not null,
  at timestamptz not null default now()
);
