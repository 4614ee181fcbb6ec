-- A deposit that leaves its order in the archive names it all the same, as the order's addresses do.
alter table deposits drop constraint deposits_order_id_fkey;

-- The newest deposit in what an address held by the rows at the last look, as settled_sweep is the newest sweep: later ones count on top.
alter table deposit_addresses add column settled_deposit bigint;
