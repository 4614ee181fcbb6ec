-- An empty payment to ourselves that uses the handle of one which its node refuses: the chain takes one of the two at most.
create table payout_cancellations (
  payout_id bigint not null references payouts (id),
  n integer not null check (n > 0),
  network text not null,
  tx_id text not null,
  raw text not null,
  status text not null check (status in ('prepared', 'mined', 'dead')),
  prepared_at timestamptz not null,
  primary key (payout_id, n),
  unique (network, tx_id)
);
create unique index payout_cancellations_alive on payout_cancellations (payout_id) where status = 'prepared';
