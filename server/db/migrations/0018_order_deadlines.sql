-- What has an end in time (engine law 13): an order that nobody pays, and a price that binds us while the customer may still walk away.
alter table orders
  add column unpaid_until timestamptz,
  add column exposed_until timestamptz,
  add column exposed_amount numeric(78,0),
  add constraint exposure_is_whole check ((exposed_until is null) = (exposed_amount is null));

update orders set unpaid_until = coalesce((snapshot->'terms'->'fixed'->>'expiresAt')::timestamptz, created_at) + interval '24 hours'
  where state = 'awaiting_deposit';
update orders set exposed_until = (snapshot->'terms'->'fixed'->>'expiresAt')::timestamptz,
    exposed_amount = (snapshot->'terms'->>'claimedDepositAmount')::numeric
  where state = 'awaiting_deposit' and rate_mode = 'FIXED';

create index orders_unpaid on orders (unpaid_until) where unpaid_until is not null;
create index orders_exposed on orders (from_slug, to_slug, exposed_until) where exposed_until is not null;
create index orders_exposed_client on orders (client_key, exposed_until) where exposed_until is not null;
drop index orders_live_fixed;
drop index orders_under_way;
create index orders_under_way on orders (state, created_at)
  where state not in ('awaiting_deposit', 'expired', 'completed', 'refunded');

-- When a deposit was first in a block; a block that is undone does not change it.
alter table deposits add column mined_at timestamptz;
update deposits set mined_at = detected_at where block_height is not null;
