-- Orders of a sandbox that go the way their integrator asked for (contract §13): what the sandbox still does for each.
create table rehearsals (
  order_id text primary key,
  outcome text not null,
  -- What the sandbox pays, in minor units, and not before when.
  amount numeric(78,0) not null check (amount > 0),
  pay_after timestamptz not null,
  paid_at timestamptz,
  -- Null while something is left to do.
  ended_at timestamptz
);
create index rehearsals_open on rehearsals (order_id) where ended_at is null;
