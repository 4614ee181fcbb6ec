-- Coins in a hot wallet that the books do not explain: in `suspense` until two operators agree on what they are (engine law 11).
create table surpluses (
  id bigint generated always as identity primary key,
  network text not null,
  slug text not null,
  amount numeric(78,0) not null check (amount > 0),
  found_at timestamptz not null default now(),
  ended_at timestamptz
);
create index surpluses_open on surpluses (id) where ended_at is null;
alter table adjustments drop constraint adjustments_account_check;
alter table adjustments add constraint adjustments_account_check check (account in ('hot', 'deposits', 'suspense'));
alter table adjustments add column surplus_id bigint references surpluses (id);
alter table adjustments add constraint adjustments_of_surplus check (
  (surplus_id is not null) = (account = 'suspense')
  and (surplus_id is null or (payout_id is null and sweep_id is null and order_id is null))
);
create index adjustments_by_surplus on adjustments (surplus_id) where surplus_id is not null;

-- Coins that an operator is about to add to a hot wallet: they are ours, and no surplus. `amount` is what has not arrived yet.
create table expected_top_ups (
  id bigint generated always as identity primary key,
  network text not null,
  slug text not null,
  amount numeric(78,0) not null check (amount >= 0),
  expected_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index expected_top_ups_open on expected_top_ups (slug, id) where ended_at is null;
