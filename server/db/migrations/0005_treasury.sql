-- What the hot wallets held when a worker last looked: pairs are offered only as far as this goes.
create table treasury_stock (
  slug text primary key,
  amount numeric(78,0) not null check (amount >= 0),
  at timestamptz not null
);

-- Switches that stop a part of the house, as data: by hand, or by a guard that found something wrong.
-- `scope` is '*', a network's title or an instrument's slug.
create table kill_switches (
  action text not null check (action in ('quote', 'accept', 'pay')),
  scope text not null,
  direction text not null check (direction in ('give', 'get', 'both')),
  reason text not null,
  at timestamptz not null,
  primary key (action, scope, direction)
);
