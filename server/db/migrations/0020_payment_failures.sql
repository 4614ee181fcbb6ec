-- A payment that fails is tried again after longer and longer pauses, and then waits for an operator.
alter table payouts add column failures integer not null default 0 check (failures >= 0);
alter table payouts add column last_error text;
-- An attempt that its node doesn't know is not sent again before.
alter table payouts add column resend_at timestamptz;
alter table payouts add column review_at timestamptz;
update payouts set review_at = now() where state = 'review';

-- What is not over: what a block wakes, and what a hot wallet still has to pay.
create index payouts_active on payouts (network, slug) where state in ('intended', 'broadcast', 'mined', 'review');
