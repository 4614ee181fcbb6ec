-- Those that are deleted are every other row of the table, so it is read whole; each signed call paid for this index.
drop index used_signatures_age;
