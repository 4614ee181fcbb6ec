-- Each cause has a stop of its own: an operator's release lifts no other's, and none of them overwrites another's reason.
alter table kill_switches add column cause text not null default 'operator'
  check (cause in ('operator', 'reconciler', 'follower'));
-- What the reconciler misses now, by instrument, in minor units.
alter table kill_switches add column missing jsonb not null default '{}';
update kill_switches set cause = case
  when until_recovered then 'follower'
  when action = 'pay' and reason like 'the hot wallet is short of %' then 'reconciler'
  else 'operator' end;
alter table kill_switches drop constraint kill_switches_pkey;
alter table kill_switches add primary key (action, scope, direction, cause);
alter table kill_switches drop column until_recovered;
-- Whether the operator who proposed it knew that the reconciler had not measured it so.
alter table adjustments add column is_unmeasured boolean not null default false;
