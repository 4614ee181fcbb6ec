-- What operators changed: who, when, what, from what to what, and why. Written in the transaction of the change.
create table operator_actions (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  operator text not null check (operator <> ''),
  action text not null,
  subject text not null,
  before jsonb not null,
  after jsonb not null,
  reason text not null check (reason <> '')
);
create index operator_actions_of on operator_actions (subject, id);
create trigger operator_actions_append_only before update or delete on operator_actions for each statement execute function refuse_change();

-- What an operator asks for and a worker does: a refund instead of a payout that was not made, and the return of a deposit in review.
alter table payouts add column refund_requested_at timestamptz;
alter table payouts add column refund_address text;
alter table payouts add column refund_memo text;
alter table deposits add column refund_requested_at timestamptz;
alter table deposits add column refund_address text;
alter table deposits add column refund_memo text;
create index deposits_to_refund on deposits (id) where refund_requested_at is not null and returned_at is null;

-- A difference between a chain and the ledger, proposed by one operator and booked once another one agrees.
create table adjustments (
  id bigint generated always as identity primary key,
  network text not null,
  slug text not null,
  account text not null check (account in ('hot', 'deposits')),
  -- What the chain holds more than the ledger says.
  amount numeric(78,0) not null check (amount <> 0),
  reason text not null,
  proposed_by text not null,
  proposed_at timestamptz not null default now(),
  confirmed_by text check (lower(confirmed_by) <> lower(proposed_by)),
  confirmed_at timestamptz
);
