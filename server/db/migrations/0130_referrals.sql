-- What an account's link says of it. The first is shown; others came with accounts that were joined with it.
create table referrer_ids (
  referrer_id text primary key check (referrer_id ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
  user_id bigint not null references users (id),
  created_at timestamptz not null
);
create index referrer_ids_of_user on referrer_ids (user_id, created_at);

-- Whoever referred an account, for life. Until now what was given was stored unseen, and could name nobody.
alter table users drop column referrer_id,
  add column referrer_user_id bigint references users (id),
  add check (referrer_user_id <> id);
create index users_of_referrer on users (referrer_user_id, created_at) where referrer_user_id is not null;

-- A digest of the browser and the address together: who earns by their own exchanges uses the same ones for both accounts.
alter table orders add column client_hash text;
create table user_clients (
  user_id bigint not null references users (id) on delete cascade,
  client_hash text not null,
  seen_at timestamptz not null,
  primary key (user_id, client_hash)
);

create table referral_clicks (
  user_id bigint not null references users (id),
  day date not null,
  clicks integer not null check (clicks > 0),
  primary key (user_id, day)
);
