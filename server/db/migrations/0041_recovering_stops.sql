-- A stop that the follower set because credited deposits were gone from the chain: it ends once they are found again.
alter table kill_switches add column until_recovered boolean not null default false;
