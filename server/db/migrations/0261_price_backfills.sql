-- Up to when a coin's history has been filled from the venues' candles, so that a worker that starts again goes on from there. A time
-- without candles has no rows and stays a gap.
create table price_backfills (
  symbol text not null,
  prices text not null check (prices in ('price_minutes', 'price_hours', 'price_days')),
  filled_until timestamptz not null,
  primary key (symbol, prices)
);
