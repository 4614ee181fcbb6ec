-- Payments that wait because as many of their wallet as may wait for a block; a block makes them due.
alter table payouts add column queued_at timestamptz;
create index payouts_queued on payouts (network, id) where queued_at is not null;
