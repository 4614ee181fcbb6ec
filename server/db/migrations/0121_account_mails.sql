-- Mails about an account wait in the outbox beside those about orders.
alter table outbox alter column order_id drop not null,
  add column user_id bigint references users (id) on delete cascade,
  add column recipient text;
alter table outbox
  add check ((order_id is null) = (user_id is not null)),
  add check ((user_id is null) = (recipient is null)),
  add check (user_id is null or channel = 'mail');
create index outbox_of_user on outbox (user_id) where user_id is not null;
alter table sandbox_mails alter column order_id drop not null;
