-- By the states that they may be in: of the negated list the planner assumes a quarter of all orders as soon as its sample has one of these.
drop index orders_under_way;
create index orders_under_way on orders (state, created_at)
  where state in ('confirming', 'awaiting_choice', 'paying', 'rerouting', 'refund_requested', 'refunding');
