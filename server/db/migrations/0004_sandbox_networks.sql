-- Chains that the sandbox plays itself. A block is its height and the fork that it belongs to: its hash follows from both and
-- the seed, so that blocks need no rows. `seed` also gives the addresses and signs.
create table sandbox_networks (
  network text primary key,
  seed text not null,
  height integer not null check (height >= 0),
  next_block_at timestamptz not null,
  paused boolean not null default false
);

-- Where a reorganisation began: the blocks from there on have other hashes.
create table sandbox_forks (
  network text not null references sandbox_networks (network),
  from_height integer not null check (from_height > 0),
  salt bigint generated always as identity,
  primary key (network, from_height)
);

-- `block_height` is null in the mempool; `sender` is null for value that comes from outside.
create table sandbox_transactions (
  network text not null references sandbox_networks (network),
  tx_id text not null,
  seq bigint generated always as identity,
  sender text,
  nonce integer,
  fee numeric(78,0) not null check (fee >= 0),
  block_height integer,
  primary key (network, tx_id)
);
create index sandbox_transactions_of_block on sandbox_transactions (network, block_height);
-- One transaction for a nonce, in the mempool or in a block.
create unique index sandbox_transactions_nonce on sandbox_transactions (network, sender, nonce) where nonce is not null;

create table sandbox_outputs (
  network text not null,
  tx_id text not null,
  output_index integer not null,
  address text not null,
  memo text,
  slug text not null,
  amount numeric(78,0) not null check (amount > 0),
  spent_by text,
  primary key (network, tx_id, output_index),
  foreign key (network, tx_id) references sandbox_transactions (network, tx_id) on delete cascade
);
create index sandbox_outputs_unspent on sandbox_outputs (network, address, slug) where spent_by is null;
create index sandbox_outputs_spent on sandbox_outputs (network, spent_by) where spent_by is not null;

-- What a transaction takes from its sender.
create table sandbox_debits (
  network text not null,
  tx_id text not null,
  address text not null,
  slug text not null,
  amount numeric(78,0) not null check (amount > 0),
  primary key (network, tx_id, address, slug),
  foreign key (network, tx_id) references sandbox_transactions (network, tx_id) on delete cascade
);

-- What the blocks give every address: the sums of its outputs and debits.
create table sandbox_balances (
  network text not null references sandbox_networks (network),
  address text not null,
  slug text not null,
  amount numeric(78,0) not null check (amount >= 0),
  primary key (network, address, slug)
);
