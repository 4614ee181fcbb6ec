-- Jobs that throw, until they succeed: each is tried again after a pause that grows, and shown to operators after some tries.
create table job_failures (
  queue text not null,
  job_id text not null,
  failures integer not null check (failures > 0),
  last_error text not null,
  since timestamptz not null default now(),
  paused_until timestamptz not null,
  primary key (queue, job_id)
);
