-- A deposit that a node's mempool shows and no canonical block holds: it makes a fixed rate timely and is never credited (engine law 7).
alter table deposits add column in_mempool boolean not null default false;
create index deposits_in_mempool on deposits (network) where in_mempool;
