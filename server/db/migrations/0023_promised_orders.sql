-- What open orders were promised is read from those alone: paid ones by orders_under_way, unpaid ones by this.
create index orders_unpaid_created on orders (created_at) where state = 'awaiting_deposit';
