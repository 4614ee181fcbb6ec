-- Since when a deposit is in no block and no mempool; null while one of them shows it. After a day it ends.
alter table deposits add column gone_since timestamptz;
update deposits set gone_since = now() where block_height is null and not in_mempool;
create index deposits_gone on deposits (gone_since) where gone_since is not null and credited_at is null;

-- An order whose deposits are all gone waits for one again, and counts as one that nobody has paid.
drop index orders_unpaid_client;
drop index orders_unpaid_network;
create index orders_unpaid_client on orders (client_key) where state = 'awaiting_deposit' or unpaid_until is not null;
create index orders_unpaid_network on orders (client_network)
  where (state = 'awaiting_deposit' or unpaid_until is not null) and client_network is not null;
update orders o set next_attempt_at = now()
  where o.state in ('confirming', 'awaiting_choice', 'refund_requested') and not exists (
    select 1 from deposits d where d.order_id = o.id and d.returned_at is null and d.gone_since is null);
