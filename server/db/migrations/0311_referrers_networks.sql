-- A digest of the address alone: a private window is another browser at the same one. Rows from before know none until the next sign-in.
alter table user_clients add column network_hash text;
