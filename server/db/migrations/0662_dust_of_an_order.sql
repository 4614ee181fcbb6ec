-- The latest of an order's deposits that are too small to count, of which a stranger may send thousands.
create index deposits_dust on deposits (order_id, id) where review_reason = 'dust';
