-- When the reconciler last measured what it misses: of each instrument beside its amount, and at each deposit address.
alter table kill_switches add column measured_at jsonb not null default '{}';
alter table deposit_drifts add column measured_at timestamptz not null default now();
