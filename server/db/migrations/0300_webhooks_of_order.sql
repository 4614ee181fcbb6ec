-- The due ones of a receiver come in their order without being sorted, however many wait; those of an order are found by the order alone.
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at, n) where state = 'pending';
drop index webhook_deliveries_of_order;
create index webhook_deliveries_of_order on webhook_deliveries (order_id, n) where state = 'pending';
