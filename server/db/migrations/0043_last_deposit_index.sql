-- The newest deposit address of a network: a node's wallet watches those up to it.
create index deposit_addresses_index on deposit_addresses (network, derivation_index);
