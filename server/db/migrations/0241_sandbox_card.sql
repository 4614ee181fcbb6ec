-- The sandbox's own card provider: its users and its transactions. Empty outside the sandbox.
create table sandbox_card_users (
  email text primary key,
  token text not null unique,
  email_token text not null unique,
  is_email_confirmed boolean not null default false,
  kyc_token text unique,
  kyc_status text not null default 'incomplete' check (kyc_status in ('incomplete', 'under_review', 'complete', 'failed')),
  created_at timestamptz not null default now()
);
create table sandbox_card_transactions (
  id text primary key,
  merchant_id text not null unique,
  direction text not null check (direction in ('buy', 'sell')),
  email text not null references sandbox_card_users (email),
  slug text not null,
  fiat text not null,
  coin_amount numeric(78, 0) not null,
  fiat_amount numeric(78, 0) not null,
  -- The customer's in a purchase, ours in a sale.
  address text not null,
  memo text,
  state text not null check (state in ('opened', 'paid', 'sending', 'done', 'cancelled', 'failed', 'refunded')),
  init_token text not null unique,
  return_url text not null,
  tx_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sandbox_card_transactions_of_user on sandbox_card_transactions (email);
