-- Deposit addresses that hold less than the credited deposits there, until they agree, are swept, or the loss is booked.
create table deposit_drifts (
  id bigint generated always as identity primary key,
  network text not null,
  address text not null,
  slug text not null,
  expected numeric(78,0) not null,
  actual numeric(78,0) not null,
  -- What of it two operators have booked.
  booked numeric(78,0) not null default 0,
  found_at timestamptz not null default now(),
  unique (network, slug, address),
  check (actual < expected)
);
