-- How often a pair was exchanged before completed_orders.counted_until, so that which pairs are asked for costs no reading of all orders.
create table completed_pairs (
  from_slug text not null,
  to_slug text not null,
  count bigint not null check (count > 0),
  last_completed_at timestamptz not null,
  primary key (from_slug, to_slug)
);
create index completed_pairs_asked_for on completed_pairs (last_completed_at desc) where count >= 5;
insert into completed_pairs (from_slug, to_slug, count, last_completed_at)
  select from_slug, to_slug, count(*), max(completed_at) from orders
  where completed_at < (select counted_until from completed_orders) group by from_slug, to_slug;

-- The last exchanges of a pair are found without reading those of all others.
create index orders_of_pair on orders (from_slug, to_slug, completed_at desc) where completed_at is not null;
