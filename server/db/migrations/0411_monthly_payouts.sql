-- Accounts whose wallet is withdrawn to an address of theirs after each month. `month` is the last one that was dealt with, and `outcome`
-- what came of it; null before the first.
create table monthly_payouts (
  user_id bigint primary key references users (id),
  address text not null,
  set_at timestamptz not null,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  outcome text check (outcome in ('paid', 'too_little', 'refused'))
);
create index monthly_payouts_due on monthly_payouts (month);
