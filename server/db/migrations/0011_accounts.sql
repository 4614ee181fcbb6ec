-- Who signs in. A messenger's user is its id there, never a name or an email.
create table users (
  id bigint generated always as identity primary key,
  telegram_id bigint unique,
  created_at timestamptz not null default now()
);

-- Only a token's hash is kept. A session that was ended stays until it would have ended by itself, so that no replay opens it again.
create table sessions (
  token_hash bytea primary key,
  user_id bigint not null references users (id),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_expiry on sessions (expires_at);

-- Who made an order while signed in.
alter table orders add column user_id bigint references users (id);

alter table outbox drop constraint outbox_channel_check;
alter table outbox add constraint outbox_channel_check check (channel in ('mail', 'telegram'));
drop index outbox_due;
create index outbox_due on outbox (channel, next_attempt_at) where state = 'pending';
