-- Since when a network's blocks wait to be read after the restore of a backup: until then nobody knows which orders it has already paid.
alter table followed_networks add column unread_since timestamptz;
