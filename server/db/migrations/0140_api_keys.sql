-- Keys with which an account's own programs sign their calls. The secret is needed to check a signature, so it is encrypted, not hashed.
create table api_keys (
  id uuid primary key,
  user_id bigint not null references users (id) on delete cascade,
  public_key text not null unique,
  -- AES-256-GCM, bound to the public key.
  secret bytea not null,
  name text not null,
  -- Addresses and CIDR ranges with commas between them; empty: all.
  white_list_ip text not null,
  is_active boolean not null default true,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index api_keys_of_user on api_keys (user_id);
