-- The unknown payments beside which nothing that was signed with this nonce or these coins can reach the chain: they use them, or another has for good.
alter table payout_handles add column excluded_by text[] not null default '{}';
