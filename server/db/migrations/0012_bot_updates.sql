-- What the messenger has told the bot by its webhook, so that a second telling is not answered again. No word of it is kept.
create table bot_updates (
  update_id bigint primary key,
  seen_at timestamptz not null default now()
);
create index bot_updates_seen on bot_updates (seen_at);
