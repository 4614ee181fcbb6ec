-- Payments from a hot wallet that a chain shows and no row knows, as after the restore of an older backup: while one is undecided,
-- nothing is signed on its network. `payout_id` is the payment that it was booked as.
create table unknown_payments (
  network text not null,
  tx_id text not null,
  height integer,
  -- What it pays, as the block shows it; null where a network hides that.
  pays jsonb,
  found_at timestamptz not null,
  decision text check (decision in ('booked', 'not ours')),
  payout_id bigint references payouts (id),
  decided_at timestamptz,
  primary key (network, tx_id),
  check ((decision is null) = (decided_at is null)),
  check ((decision = 'booked') = (payout_id is not null))
);
create index unknown_payments_open on unknown_payments (network) where decision is null;

-- What a network was when this database first followed it: blocks up to `first_height` are older than the database.
create table followed_networks (
  network text primary key,
  first_height integer not null
);

-- Which chain, and keys of which seed phrase, the rows of a network belong to.
create table network_identities (
  network text primary key,
  chain text not null,
  keys text not null
);
insert into followed_networks (network, first_height) select network, max(height) from chain_tail group by network;
