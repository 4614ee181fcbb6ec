-- What lies on a deposit address is moved to the hot wallet by a job of its own: one row for what one address holds of one instrument.
create table sweeps (
  id bigint generated always as identity primary key,
  network text not null,
  address text not null,
  derivation_index bigint not null,
  slug text not null,
  amount numeric(78,0) not null check (amount > 0),
  state text not null check (state in ('planned', 'moving', 'done')),
  next_attempt_at timestamptz,
  created_at timestamptz not null
);
create index sweeps_due on sweeps (next_attempt_at) where next_attempt_at is not null;

-- A deposit is swept once.
alter table deposits add column sweep_id bigint references sweeps (id);
create index deposits_unswept on deposits (network, slug, address) where credited_at is not null and sweep_id is null;

-- A sweep's own payments: the move itself, from the deposit address, and the coins for its gas, from the hot wallet.
alter table payouts add column sweep_id bigint references sweeps (id);
alter table payouts drop constraint payouts_check;
alter table payouts add constraint payouts_one_source check (num_nonnulls(order_id, deposit_id, sweep_id) = 1);
alter table payouts drop constraint payouts_purpose_check;
alter table payouts add constraint payouts_purpose_check
  check (purpose in ('payout', 'refund', 'sweep', 'gas') and (purpose in ('sweep', 'gas')) = (sweep_id is not null));
create unique index payouts_one_move on payouts (sweep_id) where purpose = 'sweep';
create unique index payouts_one_gas_at_a_time on payouts (sweep_id) where purpose = 'gas' and state in ('intended', 'broadcast');
