-- What a hot wallet holds above the cap, in minor units, since when; null while it holds no more.
alter table hot_balances add column over_cap numeric(78,0) check (over_cap > 0);
alter table hot_balances add column over_cap_since timestamptz;
alter table hot_balances add constraint hot_balances_over_cap check ((over_cap is null) = (over_cap_since is null));
