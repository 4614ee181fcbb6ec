-- Where a network has memos, one address serves many orders: the two together name the order.
alter table deposit_addresses drop constraint deposit_addresses_pkey;
create unique index deposit_addresses_place on deposit_addresses (network, address, memo) nulls not distinct;
