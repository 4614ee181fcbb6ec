-- Orders by card wait for their payment too, and have no unpaid_until, at which an order ends by itself.
drop index orders_unpaid_client;
drop index orders_unpaid_network;
create index orders_unpaid_client on orders (client_key) where state = 'awaiting_deposit';
create index orders_unpaid_network on orders (client_network) where state = 'awaiting_deposit' and client_network is not null;
