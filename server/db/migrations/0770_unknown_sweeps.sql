-- What deposit addresses have moved to the hot wallet by the chain, and no row knows, as after the restore of an older backup. `payout_id` is the
-- move of the sweep that it was found to be; `ended_at` is set where it is none that the rows may still make.
create table unknown_sweeps (
  network text not null,
  tx_id text not null,
  height integer not null,
  address text not null,
  slug text not null,
  amount numeric(78, 0) not null check (amount > 0),
  found_at timestamptz not null,
  payout_id bigint,
  ended_at timestamptz,
  primary key (network, tx_id),
  check (payout_id is null or ended_at is null)
);
create index unknown_sweeps_open on unknown_sweeps (network, address, slug) where payout_id is null and ended_at is null;
create index unknown_sweeps_by_address on unknown_sweeps (address);

-- The gas of such a sweep: a payment from the hot wallet to a deposit address.
create index unknown_payments_of_gas on unknown_payments ((pays->0->>'to')) where decision = 'to ourselves';
