-- What an attempt pays where that isn't its payment's amount: a sweep of all coins of an address moves less once its fee takes more of them.
alter table payout_attempts add column amount numeric(78,0) check (amount > 0);
