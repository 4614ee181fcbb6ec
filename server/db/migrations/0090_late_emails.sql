-- An order's id alone sets its email. Until the email is confirmed with the destination address too, nothing sent there opens the order.
alter table orders add column is_email_confirmed boolean not null default true;
update orders set is_email_confirmed = false
  where email_set_at > created_at and state not in ('completed', 'refunded', 'expired');
