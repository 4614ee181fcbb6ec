-- Browsers that are told of an order. A row lives until it is withdrawn, the push service forgets it, or its order has ended and was told.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  order_id text not null references orders (id),
  endpoint text not null check (length(endpoint) <= 2048),
  p256dh text not null,
  auth text not null,
  locale text not null check (locale in ('en', 'ru')),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  unique (order_id, endpoint)
);

-- One thing is told once to each of them. The id outlives its row: what was sent stays recorded, what was not is given up.
alter table outbox add column subscription_id bigint;
alter table outbox drop constraint outbox_channel_check;
alter table outbox add constraint outbox_channel_check check (channel in ('mail', 'telegram', 'push'));
alter table outbox add check ((channel = 'push') = (subscription_id is not null));
alter table outbox drop constraint outbox_channel_order_id_topic_source_key_key;
alter table outbox add unique nulls not distinct (channel, order_id, topic, source_key, subscription_id);

-- The sandbox's own keys, made at its first start; elsewhere they come from the configuration.
create table sandbox_push_keys (
  only_row boolean primary key default true check (only_row),
  public_key text not null,
  private_key text not null
);
