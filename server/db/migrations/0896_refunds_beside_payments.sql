-- The undecided unknown payments beside which an operator asked for a payout's refund: none of them has made it.
alter table payouts add column refund_beside text[] not null default '{}';
