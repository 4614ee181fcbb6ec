-- Signatures of partners' calls, each of which is taken once; a row is deleted once its call would be too old anyway.
create table used_signatures (
  signature bytea primary key,
  expires_at timestamptz not null
);
create index used_signatures_age on used_signatures (expires_at);
