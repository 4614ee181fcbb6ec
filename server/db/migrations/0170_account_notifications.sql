-- Messages about one subject, as a withdrawal, go out in their order on each channel.
alter table outbox add column subject text;
create index outbox_waiting_subjects on outbox (user_id, subject, channel, id) where state = 'pending' and subject is not null;

-- An account is written to by push too: in the browsers where it is signed in and that may be notified.
alter table outbox drop constraint outbox_account_channels;
alter table push_subscriptions alter column order_id drop not null,
  add column session_id uuid unique references sessions (id) on delete cascade,
  add constraint push_subscriptions_one_source check (num_nonnulls(order_id, session_id) = 1);
create index push_subscriptions_endpoint on push_subscriptions (endpoint) where session_id is not null;
