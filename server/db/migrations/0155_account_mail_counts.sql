-- Who caused a mail about an account, as a digest: a client's mails have a limit.
alter table outbox add column client_hash bytea, add column network_hash bytea;

-- Mails about accounts that were sent in the last 24 hours, counted apart from their accounts: whoever deletes one starts nothing anew.
create table account_mail_counts (
  outbox_id bigint primary key,
  kind text not null check (kind in ('request', 'reset', 'notice')),
  recipient_hash bytea not null,
  client_hash bytea,
  network_hash bytea,
  counted_at timestamptz not null default now()
);
create index account_mail_counts_of_recipient on account_mail_counts (recipient_hash, kind);
create index account_mail_counts_of_client on account_mail_counts (client_hash, kind) where client_hash is not null;
create index account_mail_counts_of_network on account_mail_counts (network_hash, kind) where network_hash is not null;
create index account_mail_counts_age on account_mail_counts (counted_at);
