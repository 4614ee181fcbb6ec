-- Since when a payment waits because its network's fee is far above what its customer was charged; null while it doesn't.
alter table payouts add column over_charge_since timestamptz;
