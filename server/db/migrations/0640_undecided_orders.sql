-- An order that waits for its customer has this long before operators are told.
alter table orders add column choice_until timestamptz;
create index orders_choice_until on orders (choice_until) where choice_until is not null;

-- Orders whose customers have not chosen in that time, until they do or an operator has ended them.
create table undecided_orders (
  order_id text primary key references orders (id) on delete cascade,
  network text not null,
  -- What the order waits for, and the sum that waits with it.
  reason text not null,
  slug text not null,
  received numeric(78,0) not null,
  held_at timestamptz not null default now(),
  -- An operator's decision, until a worker has taken it.
  refund_requested_at timestamptz,
  to_address text,
  to_memo text,
  last_error text
);

-- The deposits of such an order are written off by two operators. Its row may go to the archive later.
alter table adjustments add column order_id text;
alter table adjustments add constraint adjustments_of_order check (
  order_id is null or (account = 'deposits' and amount > 0 and payout_id is null and sweep_id is null)
);
create index adjustments_by_order on adjustments (order_id) where order_id is not null;
