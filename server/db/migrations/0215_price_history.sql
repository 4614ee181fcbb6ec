-- USD prices of coins, scaled by 10^18, each the first of its minute, hour or day. A time without a price has no row.
create table price_minutes (
  symbol text not null,
  at timestamptz not null,
  price numeric(78,0) not null check (price > 0),
  primary key (symbol, at)
);
create table price_hours (like price_minutes including all);
create table price_days (like price_minutes including all);
-- What is older than a table's retention, in batches. Days are never deleted.
create index price_minutes_by_time on price_minutes (at);
create index price_hours_by_time on price_hours (at);
