-- An account has an email, a Telegram user, or both. The row of one that was deleted or joined with another stays, without either.
alter table users
  add column email text,
  add column locale text not null default 'en' check (locale in ('en', 'ru')),
  add column permissions text not null default 'USER' check (permissions in ('USER', 'ADMIN')),
  add column admin_scope text[],
  -- Whose link the account was registered by, as it was given.
  add column referrer_id text,
  add column deleted_at timestamptz;
-- Two spellings of one address are one account.
create unique index users_email on users (lower(email)) where email is not null;
create index orders_of_user on orders (user_id, created_at) where user_id is not null;

create table credentials (
  user_id bigint primary key references users (id) on delete cascade,
  password_hash text not null,
  changed_at timestamptz not null
);

-- A session is a family of tokens: each refresh token is used once and followed by another. Only hashes of tokens are stored.
alter table sessions rename to session_tokens;
alter index sessions_expiry rename to session_tokens_expiry;
create table sessions (
  id uuid primary key,
  user_id bigint not null references users (id) on delete cascade,
  kind text not null check (kind in ('local', 'telegram')),
  device text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- When the person last proved who they are.
  authenticated_at timestamptz not null,
  expires_at timestamptz not null,
  -- One that was ended stays until it would have ended by itself, so that no replay opens it again.
  ended_at timestamptz
);
create index sessions_of_user on sessions (user_id) where ended_at is null;
create index sessions_expiry on sessions (expires_at);
alter table session_tokens
  add column session_id uuid,
  add column kind text not null default 'access' check (kind in ('access', 'refresh')),
  add column used_at timestamptz;
update session_tokens set session_id = gen_random_uuid();
insert into sessions (id, user_id, kind, created_at, last_used_at, authenticated_at, expires_at, ended_at)
  select session_id, user_id, 'telegram', opened_at, opened_at, opened_at, expires_at, ended_at
  from (select *, expires_at - interval '24 hours' as opened_at from session_tokens) t;
alter table session_tokens alter column session_id set not null, alter column kind drop default, drop column user_id, drop column ended_at,
  add foreign key (session_id) references sessions (id) on delete cascade;
create index session_tokens_of_session on session_tokens (session_id);

-- Browsers in which an account was signed in: their failed sign-ins are counted apart from everybody else's.
create table known_browsers (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  used_at timestamptz not null
);
create index known_browsers_of_user on known_browsers (user_id);
create index known_browsers_use on known_browsers (used_at);

-- Failed proofs by a digest of whom they were for and who tried. A try is counted before it is judged, so that equal ones can't overtake it.
create table failed_attempts (
  key bytea primary key,
  failures integer not null check (failures >= 0),
  last_at timestamptz not null,
  blocked_until timestamptz
);
create index failed_attempts_age on failed_attempts (last_at);

-- One for each purpose: a newer code ends the older.
create table mailed_codes (
  user_id bigint not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('password_reset', 'email_change')),
  code_hash text not null,
  email text not null,
  tries_left integer not null check (tries_left >= 0),
  created_at timestamptz not null default now(),
  primary key (user_id, purpose)
);

create table second_factors (
  user_id bigint primary key references users (id) on delete cascade,
  -- AES-256-GCM.
  secret bytea not null,
  confirmed_at timestamptz,
  -- The 30-second step of the last code: each is taken once.
  last_step bigint not null default 0
);
create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
