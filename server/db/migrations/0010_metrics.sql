-- What /metrics asks for costs what is under way, not what was ever done.
create index orders_under_way on orders (state, created_at) where state not in ('awaiting_deposit', 'completed', 'refunded');
create index payout_attempts_unknown on payout_attempts (network) where status in ('prepared', 'broadcast');
