-- Card orders that wait for an operator, and what operators say of their end: `closed` keeps the order as it is; the others are proposed
-- by one and confirmed by another, and a worker takes them as the provider's news.
alter table card_orders
  add column review_at timestamptz,
  add column operator_end text check (operator_end in ('closed', 'done', 'refunded')),
  add column operator_end_by text,
  add column operator_end_confirmed_by text,
  add check (operator_end_confirmed_by is null or lower(operator_end_confirmed_by) <> lower(operator_end_by));
create index card_orders_in_review on card_orders (review_at) where review_at is not null;
-- Those that wait already.
update card_orders c set review_at = now() from orders o where o.id = c.order_id and o.waiting_for like 'card\_%';
