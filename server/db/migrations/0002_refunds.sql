-- The network fee that a refund was shown with; it holds for a while once shown (contract §3).
alter table orders add column refund_fee numeric(78,0);
alter table orders add column refund_fee_at timestamptz;

-- A deposit that settles no order: confirmed and on its way back by a payment of its own, or held for an operator.
alter table deposits add column returned_at timestamptz;
