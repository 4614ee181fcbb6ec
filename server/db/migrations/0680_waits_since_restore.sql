-- Why nothing is signed yet on a network that was read to its tip since the restore of a backup; null while its blocks are read.
alter table followed_networks add column waits_for text;
