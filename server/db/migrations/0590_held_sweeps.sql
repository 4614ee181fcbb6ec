-- A sweep that can't be made is tried again after growing pauses, and held for an operator after its tries.
alter table sweeps add column failures integer not null default 0;
alter table sweeps add column last_error text;
alter table sweeps add column review_reason text;
alter table sweeps add column review_at timestamptz;
create index sweeps_in_review on sweeps (id) where review_reason is not null;
-- What it was to move is written off by two operators.
alter table adjustments add column sweep_id bigint references sweeps (id);
alter table adjustments add constraint adjustments_of_held_sweep check (sweep_id is null or (account = 'deposits' and amount < 0 and payout_id is null));
create index adjustments_by_sweep on adjustments (sweep_id) where sweep_id is not null;
