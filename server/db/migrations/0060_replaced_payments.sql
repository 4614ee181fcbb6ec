-- Several transactions of one payment may be on their way at once, as long as the chain takes one of them at most: each after the
-- first says which it follows, and whether its bytes exclude that one (the same nonce, the same inputs) or follow a dead one.
alter table payout_attempts add column replaces integer;
alter table payout_attempts add column excludes_replaced boolean not null default false;
-- The maximum that a replacement may cost, in minor units of its network's coin; null: what its handle says.
alter table payout_attempts add column max_cost numeric(78,0) check (max_cost > 0);
update payout_attempts set replaces = n - 1 where n > 1;
alter table payout_attempts add foreign key (payout_id, replaces) references payout_attempts (payout_id, n);
alter table payout_attempts add check (replaces is null or replaces < n);
alter table payout_attempts add check (replaces is not null or not excludes_replaced);
-- Attempts are one chain: a first one, and one after each.
create unique index payout_attempts_chain on payout_attempts (payout_id, replaces) nulls not distinct;
drop index payout_attempts_alive;
-- What is alive all excludes each other: one that excludes nothing is alive at most.
create unique index payout_attempts_alive on payout_attempts (payout_id) where status <> 'dead' and not excludes_replaced;
create unique index payout_attempts_mined on payout_attempts (payout_id) where status = 'mined';

-- An empty payment that is stuck is replaced like any other.
drop index payout_cancellations_alive;

-- Not replaced before; null while nothing waits for a block.
alter table payouts add column replace_at timestamptz;
alter table payouts add column replacements integer not null default 0 check (replacements >= 0);
-- Since when, and why, a payment that no block takes can't be replaced (any more): it stays on its way.
alter table payouts add column stuck_at timestamptz;
alter table payouts add column stuck_reason text;
alter table payouts add check ((stuck_at is null) = (stuck_reason is null));
create index payouts_stuck on payouts (network) where stuck_at is not null;
