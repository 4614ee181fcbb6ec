-- Whether an operator has decided that a payment is made although its deposit was taken away by a reorganisation.
alter table payouts add column pays_without_deposit boolean not null default false;
