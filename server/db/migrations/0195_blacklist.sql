-- Addresses and emails that nothing is exchanged for: those of a sanctions list, of thieves. In lower case: no two addresses differ by it alone.
create table blacklist (
  value text primary key check (value = lower(value)),
  created_at timestamptz not null default now()
);
