-- The handle (a nonce) of an unknown payment that waits in a mempool, which its payment reserves once it is booked: those below it can then be
-- used by empty payments, and those above it go to others. Null where it is not known.
alter table unknown_payments add column handle jsonb;
