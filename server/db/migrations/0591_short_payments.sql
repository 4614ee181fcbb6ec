-- Since when a payment is not signed because the hot wallet has too little for it: after a while an operator is told.
alter table payouts add column short_since timestamptz;
