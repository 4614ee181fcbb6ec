-- Led by the address: with the network first, a plan that a connection made while the table was small read every address of the network.
create unique index deposit_addresses_by_address on deposit_addresses (address, network, memo) nulls not distinct;
drop index deposit_addresses_address;
alter index deposit_addresses_by_address rename to deposit_addresses_address;
