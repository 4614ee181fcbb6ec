-- The network of an IPv6 client (its /48), which limits count beside its /64; null where the address itself is all that is counted.
alter table orders add column client_network text;
create index orders_exposed_network on orders (client_network, exposed_until)
  where exposed_until is not null and client_network is not null;
create index orders_unpaid_client on orders (client_key) where unpaid_until is not null;
create index orders_unpaid_network on orders (client_network) where unpaid_until is not null and client_network is not null;
