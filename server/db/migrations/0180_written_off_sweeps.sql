-- The payment of a sweep that an operator proposes to write off: its coins are gone from their deposit address.
alter table adjustments add column payout_id bigint references payouts (id);
alter table adjustments add constraint adjustments_of_sweep check (payout_id is null or (account = 'deposits' and amount < 0));
create index adjustments_by_payout on adjustments (payout_id) where payout_id is not null;
