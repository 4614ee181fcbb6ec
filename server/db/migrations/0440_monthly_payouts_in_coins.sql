-- What a monthly payout is paid in; null: the currency of earnings itself.
alter table monthly_payouts add column slug text;
-- What a withdrawal is paid out as, where that is another coin than the one it is counted and held in.
alter table withdrawals add column paid_slug text, add column paid_amount numeric(78,0) check (paid_amount > 0);
alter table withdrawals add constraint withdrawals_paid_as_a_whole check ((paid_slug is null) = (paid_amount is null));
