-- The nonce that a payment to ourselves uses because no payment has it, so that those above it go on; null where it spends a payment's change.
alter table payout_children add column nonce integer check (nonce >= 0);
