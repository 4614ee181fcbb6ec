-- What an address held before the orders that use it: the block after which its balance was first looked at, and the network's own coin
-- that was there without a deposit. Null until then, and where balances are not compared.
alter table deposit_addresses
  add column watched_from integer,
  add column initial_balance numeric(78,0);
