-- A payment to ourselves that spends the change of a stuck attempt, or of an earlier such payment, and pays for both: it is mined with it
-- or not at all, and dead once another attempt is final.
create table payout_children (
  payout_id bigint not null references payouts (id),
  n integer not null check (n > 0),
  network text not null,
  tx_id text not null,
  raw text not null,
  pays_for text not null,
  max_cost numeric(78,0) not null check (max_cost > 0),
  status text not null check (status in ('prepared', 'mined', 'dead')),
  prepared_at timestamptz not null,
  primary key (payout_id, n),
  unique (network, tx_id),
  foreign key (network, pays_for) references payout_attempts (network, tx_id)
);
