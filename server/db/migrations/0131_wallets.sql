-- What an account is owed is an account of the ledger. Those of the house, without a user, are locked together, so they are found alone.
alter table ledger_accounts add column user_id bigint references users (id),
  add check ((user_id is not null) = (name like 'wallet:%')),
  add check (user_id is null or not may_be_negative);
create index ledger_accounts_of_user on ledger_accounts (user_id) where user_id is not null;
create index ledger_accounts_of_us on ledger_accounts (slug) where user_id is null;

-- Every reason for which an account is owed something. The ledger has it once it is completed.
create table wallet_credits (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  source text not null check (source in ('AFFILIATE', 'CASHBACK', 'MARKUP', 'ADJUSTMENT')),
  slug text not null,
  amount numeric(78,0) not null check (amount > 0),
  state text not null check (state in ('completed', 'review', 'rejected', 'reversed')),
  review_reason text,
  -- The order may be in the archive; an adjustment has none.
  order_id text,
  order_reference text,
  -- What had been withdrawn already when it was reversed: our loss.
  lost numeric(78,0) not null default 0 check (lost >= 0 and lost <= amount),
  version integer not null default 1,
  created_at timestamptz not null,
  check ((source = 'ADJUSTMENT') = (order_id is null)),
  unique (order_id, source)
);
create index wallet_credits_of_user on wallet_credits (user_id, id);
create index wallet_credits_in_review on wallet_credits (id) where state = 'review';
create index wallet_credits_reversed on wallet_credits (id) where state = 'reversed';
