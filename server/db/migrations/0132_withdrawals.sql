-- `amount` is held in the ledger until it has left (settled) or is back in the wallet (rejected); the address gets it less the network fee.
create table withdrawals (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  slug text not null,
  network text not null,
  address text not null,
  amount numeric(78,0) not null check (amount > 0),
  network_fee numeric(78,0) not null check (network_fee >= 0 and network_fee < amount),
  state text not null check (state in ('review', 'approved', 'settled', 'rejected')),
  review_reason text,
  client_key text not null,
  -- Of the call that made it: the same call again finds it.
  call_hash text unique,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state in ('settled', 'rejected')) = (ended_at is not null))
);
create index withdrawals_of_user on withdrawals (user_id, created_at);
create index withdrawals_of_client on withdrawals (client_key, created_at);
create index withdrawals_in_review on withdrawals (id) where state = 'review';

alter table payouts add column withdrawal_id bigint unique references withdrawals (id);
alter table payouts drop constraint payouts_one_source;
alter table payouts add constraint payouts_one_source
  check (num_nonnulls(order_id, deposit_id, sweep_id, exchange_id, withdrawal_id) = 1);
alter table payouts drop constraint payouts_purpose_check;
alter table payouts add constraint payouts_purpose_check
  check (purpose in ('payout', 'refund', 'sweep', 'gas', 'funding', 'withdrawal') and (purpose in ('sweep', 'gas')) = (sweep_id is not null)
    and (purpose = 'funding') = (exchange_id is not null) and (purpose = 'withdrawal') = (withdrawal_id is not null));
