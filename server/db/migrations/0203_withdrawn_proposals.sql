-- A proposal that turned out wrong, or that nobody needs any more.
alter table adjustments add column withdrawn_by text;
alter table adjustments add column withdrawn_at timestamptz;
alter table adjustments add constraint adjustments_withdrawn check (
  (withdrawn_by is null) = (withdrawn_at is null) and (withdrawn_at is null or confirmed_at is null)
);
