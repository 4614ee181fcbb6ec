-- How many orders were completed before a moment, so that the public figure costs what was completed since (engine law 17).
create table completed_orders (
  only_row boolean primary key default true check (only_row),
  counted_until timestamptz not null,
  count bigint not null check (count >= 0)
);
insert into completed_orders (counted_until, count)
  select until, (select count(*) from orders where completed_at < until) from (select now() - interval '1 day' as until) moment;

-- What waits for an operator is found without reading every exchange that ever was.
create index partner_exchanges_in_review on partner_exchanges (id) where state = 'review';
