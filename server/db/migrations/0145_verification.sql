-- What people sent to prove who they are: one row each time. Statuses as contract §10 has them; a person without a row has not started.
create table verifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  status text not null check (status in ('CREATED', 'PROCESS', 'PASS', 'REJECT')),
  reject_reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  documents_deleted_at timestamptz,
  check ((status in ('PASS', 'REJECT')) = (decided_at is not null)),
  check ((status = 'REJECT') = (reject_reason is not null)),
  check (documents_deleted_at is null or decided_at is not null)
);
create index verifications_of_user on verifications (user_id, id);
-- Nobody is checked twice at a time, nor again once they passed.
create unique index verifications_not_rejected on verifications (user_id) where status <> 'REJECT';
create index verifications_waiting on verifications (id) where status in ('CREATED', 'PROCESS');
create index verifications_to_empty on verifications (decided_at) where documents_deleted_at is null and decided_at is not null;

-- The form and the photos, each sealed by AES-256-GCM for its row and kind; the key lies elsewhere.
create table verification_documents (
  verification_id bigint not null references verifications (id) on delete cascade,
  kind text not null check (kind in ('form', 'face', 'front', 'back')),
  key_id text not null,
  sealed bytea not null,
  primary key (verification_id, kind)
);
-- Sealed bytes can't be compressed.
alter table verification_documents alter column sealed set storage external;

-- How often an account sent a form that day, refused ones too: each costs the decoding of photos.
create table verification_tries (
  user_id bigint primary key references users (id) on delete cascade,
  day date not null,
  tries integer not null
);
