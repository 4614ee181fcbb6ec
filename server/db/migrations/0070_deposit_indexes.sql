-- Each network counts the indexes of its deposit addresses by itself; those that derive the same addresses share one count.
create table deposit_indexes (
  address_space text primary key,
  -- The first that nobody has taken.
  next bigint not null check (next >= 0)
);

-- Where a network begins that has no count yet: above every index that this database, or one that it was restored from, may have issued.
create table first_deposit_index (
  only_row boolean primary key default true check (only_row),
  value bigint not null check (value >= 0)
);
insert into first_deposit_index (value)
  select greatest((select last_value + is_called::int from deposit_address_index),
    (select coalesce(max(derivation_index) + 1, 1) from deposit_addresses));
drop sequence deposit_address_index;
