-- Which account registered an email with a card provider: whoever else has the email here must have confirmed it.
create table card_users (
  provider text not null,
  email_digest bytea not null,
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  primary key (provider, email_digest, user_id)
);
