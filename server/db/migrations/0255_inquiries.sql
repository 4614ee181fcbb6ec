-- Messages to the operator. What they say is deleted once they were mailed; the row counts against its sender's limit for a day.
create table inquiries (
  id bigint generated always as identity primary key,
  reference text not null unique,
  client_hash bytea not null,
  network_hash bytea,
  state text not null default 'begun' check (state in ('begun', 'pending', 'sending', 'sent', 'failed', 'unknown')),
  mail jsonb,
  file bytea,
  created_at timestamptz not null default now(),
  check ((mail is not null) = (state in ('pending', 'sending'))),
  check (file is null or mail is not null)
);
create index inquiries_pending on inquiries (id) where state = 'pending';
create index inquiries_of_client on inquiries (client_hash, created_at);
create index inquiries_of_network on inquiries (network_hash, created_at) where network_hash is not null;
create index inquiries_age on inquiries (created_at);
