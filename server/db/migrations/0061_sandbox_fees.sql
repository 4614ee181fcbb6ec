-- What blocks of a simulated chain ask for, and what a payment of ours offers, in percent of its usual fee; null: from outside.
alter table sandbox_networks add column fee_percent integer not null default 100 check (fee_percent between 1 and 1000000);
alter table sandbox_transactions add column fee_percent integer;
