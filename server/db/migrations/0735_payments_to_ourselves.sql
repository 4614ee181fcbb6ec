-- Payments from a hot wallet to itself that no row knows pay nobody: nobody has to decide them, and the network pays on. `fee` is what the ledger has
-- of their cost, which may change until they are final (`settled_at`).
alter table unknown_payments drop constraint unknown_payments_decision_check;
alter table unknown_payments add constraint unknown_payments_decision_check check (decision in ('booked', 'not ours', 'to ourselves'));
alter table unknown_payments add column fee numeric(78, 0);
alter table unknown_payments add column settled_at timestamptz;
create index unknown_payments_unsettled on unknown_payments (network) where decision = 'to ourselves' and settled_at is null;
